import type { Consumer } from '@taproom/kafkajs'
import { createTopicAdmin } from '../admin/topic-admin.ts'
import { commitOffsets } from '../group/commit-offsets.ts'
import type { Assignment } from '../group/consumer-run.ts'
import type { TopicLife } from '../group/topic-watch.ts'
import type { KafkaClient } from '../kafka/client.ts'
import { beginOf, offsetMetadata } from '../kafka/stored-offset.ts'
import type { IncomingOptions } from './incoming-channel.ts'
import { PartitionTracker } from './partition-tracker.ts'

export interface AssignedPartition {
  readonly tracker: PartitionTracker
  /** Aborts when the partition is lost or the channel's grace is over. */
  readonly signal: AbortSignal
}

interface AssignedPartitionsOptions extends Pick<Required<IncomingOptions>, 'channel' | 'topic' | 'groupId' | 'from'> {
  readonly kafka: KafkaClient
  /** Whether the group has no other members: then handled messages need not be handled again after an outage. */
  readonly isOnlyReader: boolean
  /** Aborts the signals of all partitions. */
  readonly expired: AbortSignal
}

/** The partitions that this reader owns, and their stored offsets. */
export class AssignedPartitions {
  readonly #options: AssignedPartitionsOptions
  readonly #partitions = new Map<number, AssignedPartition>()
  /** The consumer of the last assignment. */
  #owner: Pick<Assignment, 'memberId' | 'consumer'> | undefined
  /** The id of the member for which the begin of reading was last determined. */
  #begunFor: string | undefined
  /** The life of the topic at the last assignment. */
  #life: TopicLife | undefined

  constructor(options: AssignedPartitionsOptions) {
    this.#options = options
  }

  get(partition: number): AssignedPartition | undefined {
    return this.#partitions.get(partition)
  }

  /** Adopts a new assignment; reading begins when the promise resolves. */
  async assign({ consumer, memberId, partitions: assigned, ...assignment }: Assignment): Promise<void> {
    const { isOnlyReader } = this.#options
    // With the same member id no other member has read these partitions: messages in flight stay valid.
    const isNewMember = this.#owner?.memberId !== memberId
    if (this.#owner?.consumer !== consumer) this.#noteStored(consumer)
    const owner = { memberId, consumer }
    this.#owner = owner
    for (const partition of this.#partitions.keys()) {
      if ((isNewMember && !isOnlyReader) || !assigned.includes(partition)) this.#release(partition)
    }
    for (const { tracker } of this.#partitions.values()) tracker.rejoined()
    for (const partition of assigned) if (!this.#partitions.has(partition)) this.#take(partition)
    const life = await assignment.life
    // A later assignment has replaced this one, and determines where reading begins.
    if (this.#owner !== owner) return
    const isOtherTopic = this.#life !== undefined && this.#life.recreations !== life.recreations
    this.#life = life
    if (isOtherTopic) for (const partition of assigned) this.#take(partition)
    const hasNoBegin = assigned.some((partition) => this.#partitions.get(partition)?.tracker.position === undefined)
    if (this.#begunFor === memberId && !hasNoBegin) return
    try {
      await this.#begin(consumer, assigned, life)
      this.#begunFor = memberId
    } catch (error) {
      // Kafka may refuse a commit of an assignment that is over.
      if (this.#owner === owner) throw error
    }
  }

  /** Stores the acknowledged offsets, even if an earlier request is still in flight. Never rejects. */
  async commit(): Promise<void> {
    const { kafka, channel, topic } = this.#options
    const consumer = this.#owner?.consumer
    const metadata = offsetMetadata(this.#life?.topicId)
    const due = [...this.#partitions].flatMap(([partition, { tracker }]) => {
      const offset = tracker.pending()
      return offset === undefined ? [] : [{ topic, partition, offset: String(offset), metadata }]
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

  /** Stores where the group begins where it has no offset. */
  async #begin(consumer: Consumer, assigned: readonly number[], life: TopicLife): Promise<void> {
    const { kafka, groupId, topic, from } = this.#options
    await using admin = createTopicAdmin(kafka)
    const stored = await admin.storedOffsets(groupId, topic)
    const placeOf = (partition: number) => beginOf(stored[partition], from, life)
    const unknown = assigned.filter((partition) => placeOf(partition) !== 'stored')
    // Kafka has lost the group and perhaps the log: earlier offsets are meaningless.
    for (const partition of unknown) this.#take(partition)
    for (const partition of assigned) {
      const offset = unknown.includes(partition) ? undefined : stored[partition]?.offset
      if (offset !== undefined) this.#partitions.get(partition)?.tracker.startAt(BigInt(offset))
    }
    if (unknown.length === 0) return
    const [begins, ends] = [await admin.beginOffsets(topic), await admin.endOffsets(topic)]
    const metadata = offsetMetadata(life.topicId)
    const targets = unknown.map((partition) => {
      const offsets = placeOf(partition) === 'end' ? ends : begins
      return { topic, partition, offset: offsets[partition] ?? '0', metadata }
    })
    for (const target of targets) consumer.seek(target)
    // Stored, so that after an outage the group does not skip what was written in between.
    await commitOffsets(consumer, targets)
    for (const { partition, offset } of targets) this.#partitions.get(partition)?.tracker.startAt(BigInt(offset))
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
