import type { TransactionOutcome } from '../records/control-batch.ts'
import { hasNumbers, isRecord } from '../storage/shapes.ts'

export interface TransactionPartition {
  readonly topic: string
  readonly partition: number
}

/** The state of a transactional id, between two transactions or within one. */
export type TransactionPhase =
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'ongoing'
      /** Milliseconds since 1970. */
      readonly startedAt: number
      readonly partitions: readonly TransactionPartition[]
      readonly groups: readonly string[]
    }
  /** Decided, but perhaps not written to all partitions yet; a restart finishes it. */
  | {
      readonly kind: 'ending'
      readonly outcome: TransactionOutcome
      readonly partitions: readonly TransactionPartition[]
      /** The producer id of the records; not the current one when that one's epochs were used up. */
      readonly writer: number
    }
  | { readonly kind: 'ended'; readonly outcome: TransactionOutcome }

/** How a producer identifies itself in its requests. */
export interface ProducerIdentity {
  readonly producerId: number
  readonly producerEpoch: number
}

export function isSameProducer(a: ProducerIdentity, b: ProducerIdentity): boolean {
  return a.producerId === b.producerId && a.producerEpoch === b.producerEpoch
}

/** By producer id. */
export function highestEpochs(producers: readonly ProducerIdentity[]): ReadonlyMap<number, number> {
  const epochs = new Map<number, number>()
  for (const { producerId, producerEpoch } of producers) {
    epochs.set(producerId, Math.max(producerEpoch, epochs.get(producerId) ?? -1))
  }
  return epochs
}

export interface Transaction extends ProducerIdentity {
  /** Who ended the last transaction, where that gave the producer its next epoch. */
  readonly endedBy?: ProducerIdentity
  readonly timeoutMs: number
  readonly phase: TransactionPhase
}

export function isTransaction(value: unknown): value is Transaction {
  if (!hasNumbers(value, 'producerId', 'producerEpoch', 'timeoutMs') || !('phase' in value)) return false
  const { phase } = value
  if (!isRecord(phase)) return false
  if ('endedBy' in value && !hasNumbers(value.endedBy, 'producerId', 'producerEpoch')) return false
  const hasPartitions = Array.isArray(phase['partitions'])
  switch (phase['kind']) {
    case 'empty':
    case 'ended':
      return true
    case 'ongoing':
      return hasPartitions && Array.isArray(phase['groups']) && hasNumbers(phase, 'startedAt')
    case 'ending':
      return hasPartitions && hasNumbers(phase, 'writer')
    default:
      return false
  }
}
