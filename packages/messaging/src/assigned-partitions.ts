import type { Consumer } from 'kafkajs'
import type { Assignment } from './consumer-run.ts'
import type { KafkaClient } from './kafka.ts'
import { createPartitionTracker, type PartitionTracker } from './partition-tracker.ts'
import { createTopicAdmin, storeEndOffsets } from './topic-admin.ts'

/** A partition this reader owns. */
export interface AssignedPartition {
  readonly tracker: PartitionTracker
  /** Aborts when what is being handled no longer counts. */
  readonly signal: AbortSignal
}

/** The partitions this reader owns, and their stored offsets. */
export interface AssignedPartitions {
  get(partition: number): AssignedPartition | undefined
  /** Takes a new assignment over; the partitions are read when the promise has resolved. */
  assign(assignment: Assignment): Promise<void> | undefined
  /** Stores what was acknowledged so far, at once: a request under way does not have the latest. Never rejects. */
  commit(): Promise<void>
}

interface AssignedPartitionsOptions {
  readonly kafka: KafkaClient
  readonly channel: string
  readonly topic: string
  readonly groupId: string
  /** Nobody else is in the group, so what this process handled stays handled over any outage. */
  readonly isOnlyReader: boolean
  readonly from: 'latest' | 'earliest'
  /** Aborts the signals of all partitions. */
  readonly expired: AbortSignal
}

/** Owns no partition yet. */
export function createAssignedPartitions(options: AssignedPartitionsOptions): AssignedPartitions {
  const { kafka, channel, topic, groupId, isOnlyReader, from, expired } = options
  const partitions = new Map<number, AssignedPartition>()
  let owner: { readonly memberId: string; readonly consumer: Consumer } | undefined

  function take(partition: number): void {
    release(partition)
    const tracker = createPartitionTracker()
    partitions.set(partition, { tracker, signal: AbortSignal.any([tracker.lost.signal, expired]) })
  }

  function release(partition: number): void {
    partitions.get(partition)?.tracker.lost.abort()
    partitions.delete(partition)
  }

  /** Where the group has no stored offset, it begins: at a place fixed once, or at the log's beginning. */
  async function begin(consumer: Consumer, assigned: readonly number[]): Promise<void> {
    await using admin = createTopicAdmin(kafka)
    const committed = await admin.committedOffsets(groupId, topic)
    const unknown = assigned.filter((partition) => committed[partition] === undefined)
    // Kafka forgot the group, perhaps the whole log: offsets seen before mean nothing now.
    for (const partition of unknown) take(partition)
    // Otherwise "latest" would be found anew after every outage, and what was written meanwhile never read.
    if (from === 'latest') await storeEndOffsets(admin, consumer, topic, unknown)
  }

  async function commit(): Promise<void> {
    const consumer = owner?.consumer
    const due = [...partitions].flatMap(([partition, { tracker }]) => {
      const offset = tracker.pending()
      return offset === undefined ? [] : [{ topic, partition, offset: String(offset) }]
    })
    if (consumer === undefined || due.length === 0) return
    try {
      await consumer.commitOffsets(due)
    } catch (error) {
      // Tried again at the next interval, or by the partition's next owner.
      kafka.log.debug({ channel, err: error }, 'kafka offsets not stored')
    }
  }

  /** Told by the event: `commitOffsets` also resolves when the consumer no longer runs and nothing was stored. */
  function noteStored(consumer: Consumer): void {
    consumer.on(consumer.events.COMMIT_OFFSETS, ({ payload }) => {
      for (const { partition, offset } of payload.topics.flatMap((entry) => entry.partitions)) {
        partitions.get(partition)?.tracker.stored(BigInt(String(offset)))
      }
    })
  }

  return {
    get: (partition) => partitions.get(partition),
    assign({ consumer, memberId, partitions: assigned }) {
      // The same member id means that nobody else read these partitions meanwhile: what is in flight stays valid.
      const isNewMember = owner?.memberId !== memberId
      if (owner?.consumer !== consumer) noteStored(consumer)
      owner = { memberId, consumer }
      for (const partition of partitions.keys()) {
        if ((isNewMember && !isOnlyReader) || !assigned.includes(partition)) release(partition)
      }
      const fresh = assigned.filter((partition) => !partitions.has(partition))
      for (const partition of fresh) take(partition)
      const mayBeUnknown = (isOnlyReader && isNewMember) || (from === 'latest' && fresh.length > 0)
      return mayBeUnknown ? begin(consumer, assigned) : undefined
    },
    commit,
  }
}
