import { TopicRegex } from '../../groups/regex/topic-regex.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { outcomeOf } from '../../protocol/protocol-error.ts'
import { array, int16, int32, int64, nullableString, string } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { TRANSACTION_STATES, transactionState } from './transaction-state.ts'

const request = struct({
  stateFilters: array(string),
  producerIdFilters: array(int64),
  /** Only transactions that have been open for longer, in ms; -1 for all. */
  durationFilter: since(1, int64, -1),
  /** An expression that whole ids match; null or empty for all. */
  transactionalIdPattern: since(2, nullableString, null),
})

const response = struct({
  throttleTimeMs: constant(int32, 0),
  errorCode: int16,
  unknownStateFilters: array(string),
  transactionStates: array(struct({ transactionalId: string, producerId: int64, transactionState: string })),
})

function patternOf(text: string | null): TopicRegex | undefined {
  return text ? new TopicRegex(text, 'TransactionalIdPattern') : undefined
}

export const listTransactions = defineApi('ListTransactions', {
  request,
  response,
  handle({ stateFilters, producerIdFilters, durationFilter, transactionalIdPattern }, { broker }) {
    const { transactions } = broker
    const { errorCode, pattern } = outcomeOf(() => ({ pattern: patternOf(transactionalIdPattern) }), {
      pattern: undefined,
    })
    if (errorCode !== ErrorCode.NONE) return { errorCode, unknownStateFilters: [], transactionStates: [] }
    const states = new Set(stateFilters.filter((state) => TRANSACTION_STATES.some((known) => known === state)))
    const producerIds = new Set(producerIdFilters)
    const now = transactions.now()
    return {
      errorCode: ErrorCode.NONE,
      unknownStateFilters: stateFilters.filter((state) => !states.has(state)),
      transactionStates: [...transactions.all].flatMap(([transactionalId, { producerId, phase }]) => {
        const state = transactionState(phase)
        const isWanted =
          broker.transactionRefusal(transactionalId) === undefined &&
          (stateFilters.length === 0 || states.has(state)) &&
          (producerIdFilters.length === 0 || producerIds.has(producerId)) &&
          (pattern?.matches(transactionalId) ?? true) &&
          (durationFilter < 0 || (phase.kind === 'ongoing' && now - phase.startedAt > durationFilter))
        return isWanted ? [{ transactionalId, producerId, transactionState: state }] : []
      }),
    }
  },
})
