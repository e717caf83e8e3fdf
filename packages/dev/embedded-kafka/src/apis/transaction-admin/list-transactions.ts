import { array, int16, int32, int64, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { TRANSACTION_STATES, transactionState } from './transaction-state.ts'

const request = struct({
  stateFilters: array(string),
  producerIdFilters: array(int64),
  /** Only transactions that have been open for longer, in ms; -1 for all. */
  durationFilter: since(1, int64, -1),
})

const response = struct({
  throttleTimeMs: constant(int32, 0),
  errorCode: constant(int16, 0),
  unknownStateFilters: array(string),
  transactionStates: array(struct({ transactionalId: string, producerId: int64, transactionState: string })),
})

export const listTransactions = defineApi({
  key: 66,
  name: 'ListTransactions',
  minVersion: 0,
  maxVersion: 1,
  flexibleSince: 0,
  request,
  response,
  handle({ stateFilters, producerIdFilters, durationFilter }, { broker: { transactions } }) {
    const states = new Set(stateFilters.filter((state) => TRANSACTION_STATES.some((known) => known === state)))
    const producerIds = new Set(producerIdFilters)
    const now = transactions.now()
    return {
      unknownStateFilters: stateFilters.filter((state) => !states.has(state)),
      transactionStates: [...transactions.all].flatMap(([transactionalId, { producerId, phase }]) => {
        const state = transactionState(phase)
        const isWanted =
          (stateFilters.length === 0 || states.has(state)) &&
          (producerIdFilters.length === 0 || producerIds.has(producerId)) &&
          (durationFilter < 0 || (phase.kind === 'ongoing' && now - phase.startedAt > durationFilter))
        return isWanted ? [{ transactionalId, producerId, transactionState: state }] : []
      }),
    }
  },
})
