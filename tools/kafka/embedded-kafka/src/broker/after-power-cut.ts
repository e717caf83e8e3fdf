import type { GroupCoordinator } from '../groups/group-coordinator.ts'
import type { OffsetStore } from '../groups/offset-store.ts'
import type { StateStore } from '../storage/state-store.ts'
import type { TopicCatalog } from '../topics/topic-catalog.ts'
import type { TransactionCoordinator } from '../transactions/transaction-coordinator.ts'

const TABLE = 'cluster'
const ID = 'boot'

/** Whether the machine was started again since this data was opened last: its power may have failed. */
export function isOfOtherBoot(state: StateStore, boot: string): boolean {
  const last = state.table<string>(TABLE).get(ID)
  return last !== undefined && last !== boot
}

/** Call when all that a power cut leaves is made whole. */
export function noteBoot(state: StateStore, boot: string): void {
  if (state.table(TABLE).get(ID) !== boot) state.write([{ table: TABLE, id: ID, value: boot }])
}

/**
 * What was not flushed is gone, of each file another part. Nothing of it may come back as something else: open transactions are aborted and
 * their producers fenced, since some of their records may be gone; new leader epochs tell consumers to look where they are; and committed
 * offsets behind the end of a log, at which other records will be, are moved to the end, those of share groups too.
 */
export function makeWhole(options: {
  readonly topics: TopicCatalog
  readonly offsets: OffsetStore
  readonly groups: GroupCoordinator
  readonly transactions: TransactionCoordinator
}): void {
  const { topics, offsets, groups, transactions } = options
  topics.lead((leadership) => ({ ...leadership, epoch: leadership.epoch + 1 }))
  const producers = topics.partitions.flatMap(({ activeProducers }) => activeProducers)
  transactions.abandonAll(producers)
  for (const partition of topics.partitions) {
    for (const { producerId, producerEpoch, currentTxnStartOffset } of partition.activeProducers) {
      if (currentTxnStartOffset < 0 || !partition.replicas.leader) continue
      partition.endTransaction({ producerId, producerEpoch, outcome: 'abort', timestamp: transactions.now() })
    }
  }
  offsets.moveBack((topic, partition) => topics.find(topic)?.partitions[partition]?.endOffset)
  groups.shares.partitions.moveBack((topicId, partition) => topics.findById(topicId)?.partitions[partition]?.endOffset)
}
