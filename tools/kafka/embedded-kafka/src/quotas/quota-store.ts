import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { isRecord } from '../storage/shapes.ts'
import type { StateStore } from '../storage/state-store.ts'
import { entityId, type QuotaEntity, type QuotaKey } from './quota-entity.ts'

export type QuotaValues = Readonly<Partial<Record<QuotaKey, number>>>

interface StoredQuotas {
  readonly entity: QuotaEntity
  readonly values: QuotaValues
}

const TABLE = 'client-quotas'
const MAX_ENTITIES = 10_000

function isStored(_id: string, value: unknown): boolean {
  return isRecord(value) && isRecord(value['entity']) && isRecord(value['values'])
}

/** The limit for a client, and who shares it. */
export interface ClientQuota {
  readonly limit: number
  readonly sharedBy: string
}

/** The quotas of all entities. Every change is durable. */
export class QuotaStore {
  readonly #state: StateStore

  constructor(state: StateStore) {
    this.#state = state
    state.checkedTable(TABLE, isStored)
  }

  get #table(): ReadonlyMap<string, StoredQuotas> {
    return this.#state.table<StoredQuotas>(TABLE)
  }

  get all(): readonly StoredQuotas[] {
    return [...this.#table.values()]
  }

  of(entity: QuotaEntity): QuotaValues {
    return this.#table.get(entityId(entity))?.values ?? {}
  }

  /** @throws {ProtocolError} POLICY_VIOLATION when there are too many entities */
  set(entity: QuotaEntity, values: QuotaValues): void {
    const id = entityId(entity)
    const isEmpty = Object.keys(values).length === 0
    if (!isEmpty && !this.#table.has(id) && this.#table.size >= MAX_ENTITIES) {
      throw new ProtocolError(
        ErrorCode.POLICY_VIOLATION,
        `this broker holds quotas of at most ${MAX_ENTITIES} entities`,
      )
    }
    if (isEmpty && !this.#table.has(id)) return
    this.#state.write([{ table: TABLE, id, value: isEmpty ? null : { entity, values } }])
  }

  /** The quota that counts for a client: the most special one, in Apache Kafka's order. */
  find(key: QuotaKey, user: string, clientId: string): ClientQuota | undefined {
    // Without quotas nothing is looked for.
    if (this.#table.size === 0) return undefined
    for (const entity of [
      { user, 'client-id': clientId },
      { user, 'client-id': null },
      { user },
      { user: null, 'client-id': clientId },
      { user: null, 'client-id': null },
      { user: null },
      { 'client-id': clientId },
      { 'client-id': null },
    ]) {
      const limit = this.of(entity)[key]
      if (limit === undefined) continue
      // Whoever has the quota by default has it alone.
      const sharers = { ...('user' in entity && { user }), ...('client-id' in entity && { 'client-id': clientId }) }
      return { limit, sharedBy: entityId(sharers) }
    }
    return undefined
  }
}
