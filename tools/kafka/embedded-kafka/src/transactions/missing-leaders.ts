import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import type { TopicCatalog } from '../topics/topic-catalog.ts'
import type { TransactionPartition } from './transaction.ts'

/** Whether one of these partitions has no leader now: its marker cannot be written. */
export function isLeaderMissing(topics: TopicCatalog, partitions: readonly TransactionPartition[]): boolean {
  return partitions.some(({ topic, partition }) => {
    const found = topics.find(topic)?.partitions[partition]
    return found !== undefined && found.replicas.leader === undefined
  })
}

/** Does what ends a transaction. One that is decided, but waits for a leader, counts as ended: it cannot end otherwise any more. */
export function decidedAtLeast(end: () => unknown): void {
  try {
    end()
  } catch (error) {
    const isWaiting = error instanceof ProtocolError && error.errorCode === ErrorCode.CONCURRENT_TRANSACTIONS
    if (!isWaiting) throw error
  }
}
