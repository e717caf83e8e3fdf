import { isIP } from 'node:net'
import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'

/** What a quota is about; null is the default of a type, for all that have none of their own. */
export type QuotaEntity = Readonly<Partial<Record<EntityType, string | null>>>

const ENTITY_TYPES = ['user', 'client-id', 'ip'] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

const MAX_NAME_CHARACTERS = 1000

/** The quotas of users and clients, and those of addresses; `isWhole`: without a fraction. */
const OF_CLIENTS = {
  /** Bytes in a second. */
  producer_byte_rate: { isWhole: true },
  consumer_byte_rate: { isWhole: true },
  /** Of the time of one processor. */
  request_percentage: { isWhole: false },
  controller_mutation_rate: { isWhole: false },
} as const
const OF_ADDRESSES = { connection_creation_rate: { isWhole: true } } as const

export type QuotaKey = keyof typeof OF_CLIENTS | keyof typeof OF_ADDRESSES

export function isEntityType(type: string): type is EntityType {
  return ENTITY_TYPES.some((known) => known === type)
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.INVALID_REQUEST, message)
}

/** @throws {ProtocolError} INVALID_REQUEST, in Apache Kafka's words, when there can be no quota of it */
export function quotaEntity(
  parts: readonly { readonly entityType: string; readonly entityName: string | null }[],
): QuotaEntity {
  if (parts.length === 0) throw invalid('Invalid empty client quota entity')
  const entity: Partial<Record<EntityType, string | null>> = {}
  for (const { entityType, entityName } of parts) {
    if (!isEntityType(entityType)) throw invalid(`Unhandled client quota entity type: ${entityType}`)
    if (entityName === '') throw invalid(`Empty ${entityType} not supported`)
    if ((entityName?.length ?? 0) > MAX_NAME_CHARACTERS) {
      throw invalid(`A name of ${entityType} has at most ${MAX_NAME_CHARACTERS} characters`)
    }
    entity[entityType] = entityName
  }
  if (entity.ip === undefined) return entity
  if (entity.user !== undefined || entity['client-id'] !== undefined) {
    throw invalid('Invalid quota entity combination, IP entity shouldnot be combined with User or ClientId')
  }
  if (entity.ip !== null && isIP(entity.ip) === 0) throw invalid(`${entity.ip} is not a valid IP or resolvable host.`)
  return entity
}

/** @throws {ProtocolError} INVALID_REQUEST, in Apache Kafka's words, when it is no quota of this entity */
export function checkQuota(entity: QuotaEntity, key: string, value: number): void {
  const keys: Readonly<Record<string, { readonly isWhole: boolean }>> =
    entity.ip === undefined ? OF_CLIENTS : OF_ADDRESSES
  const known = Object.hasOwn(keys, key) ? keys[key] : undefined
  if (!known) throw invalid(`Invalid configuration key ${key}`)
  if (!(value > 0 && value <= Number.MAX_SAFE_INTEGER)) throw invalid(`Quota ${key} must be greater than 0`)
  if (known.isWhole && !Number.isInteger(value)) throw invalid(`${key} cannot be a fractional value.`)
}

/** The same for the same entity, in whatever order it was given. */
export function entityId(entity: QuotaEntity): string {
  return JSON.stringify(ENTITY_TYPES.flatMap((type) => (entity[type] === undefined ? [] : [[type, entity[type]]])))
}
