import { ErrorCode } from '../../protocol/error-code.ts'
import { outcomeOf, ProtocolError } from '../../protocol/protocol-error.ts'
import { type EntityType, isEntityType, type QuotaEntity } from '../../quotas/quota-entity.ts'
import type { Infer } from '../../wire/codec.ts'
import {
  array,
  bool,
  float64,
  int8,
  int16,
  int32,
  nullableArray,
  nullableString,
  string,
} from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

const component = struct({ entityType: string, matchType: int8, match: nullableString })

const response = struct({
  throttleTimeMs: constant(int32, 0),
  errorCode: int16,
  errorMessage: nullableString,
  entries: nullableArray(
    struct({
      entity: array(struct({ entityType: string, entityName: nullableString })),
      values: array(struct({ key: string, value: float64 })),
    }),
  ),
})

type Component = Infer<typeof component>
type Filter = (entity: QuotaEntity) => boolean

/** The protocol's numbers for how a name is matched: it is this one, none (the default's), or any. */
const MATCH = { exact: 0, default: 1, any: 2 } as const

function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.INVALID_REQUEST, message)
}

function matcher({ entityType, matchType, match }: Component): Filter {
  const type = entityType as EntityType
  if (matchType === MATCH.exact) {
    if (match === null) throw invalid('Request specified MATCH_TYPE_EXACT, but set match string to null.')
    return (entity) => entity[type] === match
  }
  if (matchType !== MATCH.default && matchType !== MATCH.any) throw invalid(`Unknown match type ${matchType}`)
  const word = matchType === MATCH.default ? 'DEFAULT' : 'SPECIFIED'
  if (match !== null) throw invalid(`Request specified MATCH_TYPE_${word}, but also specified a match string.`)
  return matchType === MATCH.default ? (entity) => entity[type] === null : (entity) => entity[type] !== undefined
}

/** @throws {ProtocolError} in Apache Kafka's words, when the components make no sense together */
function filterOf(components: readonly Component[], isStrict: boolean): Filter {
  const types = new Set<string>()
  const matchers = components.map((each) => {
    const { entityType } = each
    if (entityType === '') throw invalid('Invalid empty entity type.')
    if (types.has(entityType)) throw invalid(`Entity type ${entityType} cannot appear more than once in the filter.`)
    if (!isEntityType(entityType)) {
      throw new ProtocolError(ErrorCode.UNSUPPORTED_VERSION, `Unsupported entity type ${entityType}`)
    }
    types.add(entityType)
    return matcher(each)
  })
  if (types.has('ip') && types.size > 1) {
    const rule = 'IP filter component should not be used with user or clientId filter component.'
    throw invalid(`Invalid entity filter component combination. ${rule}`)
  }
  return (entity) =>
    matchers.every((matches) => matches(entity)) && !(isStrict && Object.keys(entity).length > types.size)
}

/** Quotas by what they are about; without components all. */
export const describeClientQuotas = defineApi('DescribeClientQuotas', {
  request: struct({ components: array(component), strict: bool }),
  response,
  handle: ({ components, strict }, { broker }) =>
    outcomeOf(
      () => {
        const isWanted = filterOf(components, strict)
        const entries = broker.quotas.all
          .filter(({ entity }) => isWanted(entity))
          .map(({ entity, values }) => ({
            entity: Object.entries(entity).map(([entityType, entityName]) => ({ entityType, entityName })),
            values: Object.entries(values).map(([key, value]) => ({ key, value })),
          }))
        return { entries }
      },
      { entries: null },
    ),
})
