import type { Consumer } from '@taproom/kafkajs'
import { createTopicAdmin, storeEndOffsets } from '../admin/topic-admin.ts'
import type { Assignment } from '../group/consumer-run.ts'
import type { KafkaClient } from '../kafka/client.ts'
import { PartitionTracker } from './partition-tracker.ts'

export interface AssignedPartition {
  readonly tracker: PartitionTracker
  /** Aborts when the partition is lost or the channel's grace is over. */
  readonly signal: AbortSignal
}

interface AssignedPartitionsOptions {
  readonly kafka: KafkaClient
  readonly channel: string
  readonly topic: string
  readonly groupId: string
  /** Whether the group has no other members: then handled messages need not be handled again after an outage. */
  readonly isOnlyReader: boolean
  readonly from: 'latest' | 'earliest'
  /** Aborts the signals of all partitions. */
  readonly expired: AbortSignal
}

/** The partitions that this reader owns, and their stored offsets. */
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

  /** Adopts a new assignment; reading begins when the promise resolves. */
  assign({ consumer, memberId, partitions: assigned }: Assignment): Promise<void> | undefined {
    const { isOnlyReader, from } = this.#options
    // With the same member id no other member has read these partitions: messages in flight stay valid.
    const isNewMember = this.#owner?.memberId !== memberId
    if (this.#owner?.consumer !== consumer) this.#noteStored(consumer)
    this.#owner = { memberId, consumer }
    for (const partition of this.#partitions.keys()) {
      if ((isNewMember && !isOnlyReader) || !assigned.includes(partition)) this.#release(partition)
    }
    for (const { tracker } of this.#partitions.values()) tracker.rejoined()
    const fresh = assigned.filter((partition) => !this.#partitions.has(partition))
    for (const partition of fresh) this.#take(partition)
    const mayBeUnknown = (isOnlyReader && isNewMember) || (from === 'latest' && fresh.length > 0)
    return mayBeUnknown ? this.#begin(consumer, assigned) : undefined
  }

  /** Stores the acknowledged offsets, even if an earlier request is still in flight. Never rejects. */
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
      // Retried at the next interval.
      kafka.log.debug({ channel, err: error }, 'kafka offsets not stored')
    }
  }

  #take(partition: number): void {
    this.#release(partition)
    const tracker = new PartitionTracker()
    const signal = AbortSignal.any([tracker.lost.signal, this.#options.expired])
    this.#partitions.set(partition, { tracker, signal })
  }

  #release(partition: number): void {
    this.#partitions.get(partition)?.tracker.lost.abort()
    this.#partitions.delete(partition)
  }

  /** For `latest`, stores the end offset where the group has none; else Kafka begins at the beginning of the log. */
  async #begin(consumer: Consumer, assigned: readonly number[]): Promise<void> {
    const { kafka, groupId, topic, from } = this.#options
    await using admin = createTopicAdmin(kafka)
    const committed = await admin.committedOffsets(groupId, topic)
    const unknown = assigned.filter((partition) => committed[partition] === undefined)
    // Kafka has lost the group and perhaps the log: earlier offsets are meaningless.
    for (const partition of unknown) this.#take(partition)
    // Stored, so that after an outage the group does not skip what was written in between.
    if (from === 'latest') await storeEndOffsets(admin, consumer, topic, unknown)
  }

  /** Uses the event, because `commitOffsets` also resolves when the consumer has stopped and nothing was stored. */
  #noteStored(consumer: Consumer): void {
    consumer.on(consumer.events.COMMIT_OFFSETS, ({ payload }) => {
      for (const { partition, offset } of payload.topics.flatMap((entry) => entry.partitions)) {
        this.#partitions.get(partition)?.tracker.stored(BigInt(String(offset)))
      }
    })
  }
}
