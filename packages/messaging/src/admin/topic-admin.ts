import { withDeadline } from '@taproom/time'
import type { Consumer } from 'kafkajs'
import { commitOffsets } from '../group/commit-offsets.ts'
import type { Assignment } from '../group/consumer-run.ts'
import { GroupMember } from '../group/group-member.ts'
import { isNotFound } from '../kafka/broker-answer.ts'
import type { KafkaClient } from '../kafka/client.ts'
import { AdminConnection } from './admin-connection.ts'
import { configEntries, extendTopic, type TopicSettings } from './topic-settings.ts'

/** Topics and groups; connects at the first call. */
export interface TopicAdmin extends AsyncDisposable {
  /** Creates the topic when it is missing; an existing one keeps its partitions. `partitions` defaults to 1. */
  ensureTopic(name: string, partitions?: number, settings?: TopicSettings): Promise<void>
  /** One that is not there is fine. */
  deleteTopic(name: string): Promise<void>
  /** The first offset of each partition; index = partition. */
  beginOffsets(topic: string): Promise<readonly string[]>
  /** The next offset of each partition; index = partition. */
  endOffsets(topic: string): Promise<readonly string[]>
  /** The stored offset of each partition of a group, undefined where none is stored; index = partition. */
  committedOffsets(groupId: string, topic: string): Promise<readonly (string | undefined)[]>
  /**
   * Stores the end offset of each partition for which the group has no stored offset, so that its first member begins
   * there. A group that has one for every partition is left alone; any other must have no members.
   */
  startGroupAtEnd(groupId: string, topic: string): Promise<void>
  /** Stores one offset for each partition, by index. The group must have no members. */
  storeOffsets(groupId: string, topic: string, offsets: readonly string[]): Promise<void>
  /** Deletes a group; one that is not there is fine, one that has members is refused. */
  deleteGroup(groupId: string): Promise<void>
}

/** How long one call may take. */
export interface TopicAdminOptions {
  /** Milliseconds. Default 10000. */
  readonly timeoutMs?: number
}

/** Administers topics and groups; every call rejects after `timeoutMs` at the latest, a refused one with Kafka's own answer. */
export function createTopicAdmin(kafka: KafkaClient, { timeoutMs = 10_000 }: TopicAdminOptions = {}): TopicAdmin {
  return new KafkaTopicAdmin(kafka, timeoutMs)
}

class KafkaTopicAdmin implements TopicAdmin {
  readonly #kafka: KafkaClient
  readonly #timeoutMs: number
  readonly #connection: AdminConnection

  constructor(kafka: KafkaClient, timeoutMs: number) {
    this.#kafka = kafka
    this.#timeoutMs = timeoutMs
    this.#connection = new AdminConnection(kafka, timeoutMs)
  }

  async ensureTopic(name: string, partitions = 1, settings: TopicSettings = {}): Promise<void> {
    const topics = [{ topic: name, numPartitions: partitions, configEntries: configEntries(settings) }]
    await this.#connection.call('creating the topic', async (admin) => {
      const isNew = await admin.createTopics({ topics, waitForLeaders: true })
      if (!isNew) await extendTopic(admin, name, settings)
    })
  }

  async deleteTopic(name: string): Promise<void> {
    await this.#connection.call('deleting the topic', (admin) =>
      admin.deleteTopics({ topics: [name] }).catch(unlessNotFound),
    )
  }

  async beginOffsets(topic: string): Promise<readonly string[]> {
    const offsets = await this.#connection.call('reading the begin offsets', (admin) => admin.fetchTopicOffsets(topic))
    return byPartition(offsets.map(({ partition, low }) => ({ partition, value: low })))
  }

  async endOffsets(topic: string): Promise<readonly string[]> {
    const offsets = await this.#connection.call('reading the end offsets', (admin) => admin.fetchTopicOffsets(topic))
    return byPartition(offsets.map(({ partition, high }) => ({ partition, value: high })))
  }

  async committedOffsets(groupId: string, topic: string): Promise<readonly (string | undefined)[]> {
    const topics = await this.#connection.call('reading the stored offsets', (admin) =>
      admin.fetchOffsets({ groupId, topics: [topic] }),
    )
    const partitions = topics.find((entry) => entry.topic === topic)?.partitions ?? []
    return byPartition(
      partitions.map(({ partition, offset }) => ({ partition, value: BigInt(offset) < 0n ? undefined : offset })),
    )
  }

  async startGroupAtEnd(groupId: string, topic: string): Promise<void> {
    // Not by joining, which would wait until the session of a dead member has ended.
    const stored = await this.committedOffsets(groupId, topic)
    if (stored.length > 0 && !stored.includes(undefined)) return
    await this.#joinBriefly(groupId, topic, async ({ consumer, partitions }) => {
      const committed = await this.committedOffsets(groupId, topic)
      const unknown = partitions.filter((partition) => committed[partition] === undefined)
      await storeEndOffsets(this, consumer, topic, unknown)
    })
  }

  async storeOffsets(groupId: string, topic: string, offsets: readonly string[]): Promise<void> {
    await this.#joinBriefly(groupId, topic, async ({ consumer }) => {
      await commitOffsets(
        consumer,
        offsets.map((offset, partition) => ({ topic, partition, offset })),
      )
    })
  }

  async deleteGroup(groupId: string): Promise<void> {
    await this.#connection.call('deleting the group', (admin) => admin.deleteGroups([groupId]).catch(unlessNotFound))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close()
  }

  /** With kafkajs only a member of the group can store offsets. */
  async #joinBriefly(
    groupId: string,
    topic: string,
    onAssigned: (assignment: Assignment) => Promise<void>,
  ): Promise<void> {
    const member = new GroupMember({
      kafka: this.#kafka,
      channel: groupId,
      groupId,
      topic,
      fromBeginning: false,
      partitionsAtOnce: 1,
      onAssigned,
      onBatch: () => Promise.resolve(),
    })
    try {
      await withDeadline(member.assigned, this.#timeoutMs, 'joining the group')
    } finally {
      await member.close()
    }
  }
}

/** Makes a group member begin at the end of the partitions, and stores these offsets. */
export async function storeEndOffsets(
  admin: Pick<TopicAdmin, 'endOffsets'>,
  consumer: Consumer,
  topic: string,
  partitions: readonly number[],
): Promise<void> {
  if (partitions.length === 0) return
  const ends = await admin.endOffsets(topic)
  const targets = partitions.map((partition) => ({ topic, partition, offset: ends[partition] ?? '0' }))
  for (const target of targets) consumer.seek(target)
  await commitOffsets(consumer, targets)
}

function unlessNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error
}

function byPartition<T>(entries: readonly { partition: number; value: T }[]): T[] {
  return [...entries].sort((a, b) => a.partition - b.partition).map(({ value }) => value)
}
