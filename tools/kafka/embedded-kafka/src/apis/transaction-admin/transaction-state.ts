import type { TransactionPhase } from '../../transactions/transaction.ts'

/** Apache Kafka's names of the states that a transactional id has here. */
export const TRANSACTION_STATES = [
  'Empty',
  'Ongoing',
  'PrepareCommit',
  'PrepareAbort',
  'CompleteCommit',
  'CompleteAbort',
] as const

export function transactionState(phase: TransactionPhase): (typeof TRANSACTION_STATES)[number] {
  if (phase.kind === 'empty') return 'Empty'
  if (phase.kind === 'ongoing') return 'Ongoing'
  const isCommit = phase.outcome === 'commit'
  if (phase.kind === 'ending') return isCommit ? 'PrepareCommit' : 'PrepareAbort'
  return isCommit ? 'CompleteCommit' : 'CompleteAbort'
}
