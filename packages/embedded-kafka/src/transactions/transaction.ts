import type { TransactionOutcome } from '../records/control-batch.ts'

/** One partition that takes part in a transaction. */
export interface TransactionPartition {
  readonly topic: string
  readonly partition: number
}

/** Where a transactional id stands between two transactions or within one. */
export type TransactionPhase =
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'ongoing'
      /** Milliseconds since 1970. */
      readonly startedAt: number
      readonly partitions: readonly TransactionPartition[]
      readonly groups: readonly string[]
    }
  /** Decided, but perhaps not yet told to all partitions; finished again after a restart. */
  | {
      readonly kind: 'ending'
      readonly outcome: TransactionOutcome
      readonly partitions: readonly TransactionPartition[]
      /** The producer id the records were written with; another one than the current when its epochs are used up. */
      readonly writer: number
    }
  | { readonly kind: 'ended'; readonly outcome: TransactionOutcome }

/** What the broker keeps of one transactional id. */
export interface Transaction {
  readonly producerId: number
  readonly producerEpoch: number
  readonly timeoutMs: number
  readonly phase: TransactionPhase
}
