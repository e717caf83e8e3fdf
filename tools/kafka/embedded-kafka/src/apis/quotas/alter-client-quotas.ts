import { actionOutcome } from '../../protocol/protocol-error.ts'
import { checkQuota, quotaEntity } from '../../quotas/quota-entity.ts'
import type { QuotaStore } from '../../quotas/quota-store.ts'
import { mapInTurns } from '../../turn.ts'
import type { Infer } from '../../wire/codec.ts'
import { array, bool, float64, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

const entity = array(struct({ entityType: string, entityName: nullableString }))

const request = struct({
  entries: array(struct({ entity, ops: array(struct({ key: string, value: float64, remove: bool })) })),
  validateOnly: bool,
})

function alter(quotas: QuotaStore, entry: Infer<typeof request>['entries'][number], validateOnly: boolean): void {
  const whose = quotaEntity(entry.entity)
  const values = new Map(Object.entries(quotas.of(whose)))
  for (const { key, value, remove } of entry.ops) {
    if (remove) values.delete(key)
    else {
      checkQuota(whose, key, value)
      values.set(key, value)
    }
  }
  if (!validateOnly) quotas.set(whose, Object.fromEntries(values))
}

/** Sets and removes quotas of users, clients and addresses (KIP-546). */
export const alterClientQuotas = defineApi('AlterClientQuotas', {
  request,
  response: struct({
    throttleTimeMs: constant(int32, 0),
    entries: array(struct({ errorCode: int16, errorMessage: nullableString, entity })),
  }),
  handle: async ({ entries, validateOnly }, { broker }) => ({
    entries: await mapInTurns(entries, (entry) => ({
      entity: entry.entity,
      ...actionOutcome(() => alter(broker.quotas, entry, validateOnly)),
    })),
  }),
})
