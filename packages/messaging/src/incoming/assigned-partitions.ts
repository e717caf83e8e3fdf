import type { Consumer } from 'kafkajs'
import { createTopicAdmin, storeEndOffsets } from '../admin/topic-admin.ts'
import type { Assignment } from '../group/consumer-run.ts'
import type { KafkaClient } from '../kafka/client.ts'
import { createPartitionTracker, type PartitionTracker } from './partition-tracker.ts'

/** A partition this reader owns. */
export interface AssignedPartition {
  readonly tracker: PartitionTracker
  /** Aborts when the results of the handlers no longer count. */
  readonly signal: AbortSignal
}

interface AssignedPartitionsOptions {
  readonly kafka: KafkaClient
  readonly channel: string
  readonly topic: string
  readonly groupId: string
  /** The group has no other members, so what this process has handled need not be handled again after an outage. */
  readonly isOnlyReader: boolean
  readonly from: 'latest' | 'earliest'
  /** Aborts the signals of all partitions. */
  readonly expired: AbortSignal
}

/** The partitions this reader owns, and their stored offsets. It owns none before the first assignment. */
export class AssignedPartitions {
  readonly #options: AssignedPartitionsOptions
  readonly #partitions = new Map<number, AssignedPartition>()
  /** The consumer of the last assignment. */
  #owner: Pick<Assignment, 'memberId' | 'consumer'> | undefined

  constructor(options: AssignedPartitionsOptions) {
    this.#options = options
  }

  get(partition: number): AssignedPartition | undefined {
    return this.#partitions.get(partition)
  }

  /** Takes a new assignment over; the partitions are read when the promise has resolved. */
  assign({ consumer, memberId, partitions: assigned }: Assignment): Promise<void> | undefined {
    const { isOnlyReader, from } = this.#options
    // The same member id means that no other member read these partitions meanwhile: what is in flight stays valid.
    const isNewMember = this.#owner?.memberId !== memberId
    if (this.#owner?.consumer !== consumer) this.#noteStored(consumer)
    this.#owner = { memberId, consumer }
    for (const partition of this.#partitions.keys()) {
      if ((isNewMember && !isOnlyReader) || !assigned.includes(partition)) this.#release(partition)
    }
    const fresh = assigned.filter((partition) => !this.#partitions.has(partition))
    for (const partition of fresh) this.#take(partition)
    const mayBeUnknown = (isOnlyReader && isNewMember) || (from === 'latest' && fresh.length > 0)
    return mayBeUnknown ? this.#begin(consumer, assigned) : undefined
  }

  /** Stores what was acknowledged so far, at once: a request under way does not have the latest. Never rejects. */
  async commit(): Promise<void> {
    const { kafka, channel, topic } = this.#options
    const consumer = this.#owner?.consumer
    const due = [...this.#partitions].flatMap(([partition, { tracker }]) => {
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

  #take(partition: number): void {
    this.#release(partition)
    const tracker = createPartitionTracker()
    const signal = AbortSignal.any([tracker.lost.signal, this.#options.expired])
    this.#partitions.set(partition, { tracker, signal })
  }

  #release(partition: number): void {
    this.#partitions.get(partition)?.tracker.lost.abort()
    this.#partitions.delete(partition)
  }

  /** Where the group has no stored offset, fixes one: the end for `latest`, else Kafka begins at the log's beginning. */
  async #begin(consumer: Consumer, assigned: readonly number[]): Promise<void> {
    const { kafka, groupId, topic, from } = this.#options
    await using admin = createTopicAdmin(kafka)
    const committed = await admin.committedOffsets(groupId, topic)
    const unknown = assigned.filter((partition) => committed[partition] === undefined)
    // Kafka has lost the group and perhaps the whole log: offsets seen before mean nothing now.
    for (const partition of unknown) this.#take(partition)
    // Stored, so that after an outage the group goes on from there and does not skip what was written meanwhile.
    if (from === 'latest') await storeEndOffsets(admin, consumer, topic, unknown)
  }

  /** By the event, because `commitOffsets` also resolves when the consumer no longer runs and nothing was stored. */
  #noteStored(consumer: Consumer): void {
    consumer.on(consumer.events.COMMIT_OFFSETS, ({ payload }) => {
      for (const { partition, offset } of payload.topics.flatMap((entry) => entry.partitions)) {
        this.#partitions.get(partition)?.tracker.stored(BigInt(String(offset)))
      }
    })
  }
}
