import { AdminConnection } from '../kafka/admin-connection.ts'
import { isNotFound } from '../kafka/broker-answer.ts'
import type { KafkaClient } from '../kafka/client.ts'
import type { StoredOffset } from '../kafka/stored-offset.ts'
import { configEntries, extendTopic, type TopicSettings } from './topic-settings.ts'

export interface TopicAdminOptions {
  /** For one call, in milliseconds. Default 10000. */
  readonly timeoutMs?: number
}

/**
 * Administers topics and groups. A call that Kafka refuses rejects with its answer, and one that has its turn (sixteen at
 * a time have) after `timeoutMs` at the latest.
 */
export function createTopicAdmin(kafka: KafkaClient, options: TopicAdminOptions = {}): TopicAdmin {
  return new TopicAdmin(kafka, options)
}

/** Topics and groups; connects at the first call. */
export class TopicAdmin implements AsyncDisposable {
  readonly #connection: AdminConnection

  constructor(kafka: KafkaClient, { timeoutMs = 10_000 }: TopicAdminOptions) {
    this.#connection = new AdminConnection(kafka, timeoutMs)
  }

  /** Creates the topic when it is missing; an existing one keeps its partitions. */
  async ensureTopic(name: string, partitions = 1, settings: TopicSettings = {}): Promise<void> {
    const topics = [{ topic: name, numPartitions: partitions, configEntries: configEntries(settings) }]
    await this.#connection.call('creating the topic', async (admin) => {
      const isNew = await admin.createTopics({ topics, waitForLeaders: true })
      if (!isNew) await extendTopic(admin, name, settings)
    })
  }

  /** Does nothing when it does not exist. */
  async deleteTopic(name: string): Promise<void> {
    await this.#connection.call('deleting the topic', (admin) =>
      admin.deleteTopics({ topics: [name] }).catch(unlessNotFound),
    )
  }

  /** The first offset of each partition; index = partition. */
  async beginOffsets(topic: string): Promise<readonly string[]> {
    const offsets = await this.#connection.call('reading the begin offsets', (admin) => admin.fetchTopicOffsets(topic))
    return inOrder(offsets).map(({ low }) => low)
  }

  /** The next offset of each partition; index = partition. */
  async endOffsets(topic: string): Promise<readonly string[]> {
    const offsets = await this.#connection.call('reading the end offsets', (admin) => admin.fetchTopicOffsets(topic))
    return inOrder(offsets).map(({ high }) => high)
  }

  /** The stored offset of each partition of a group, undefined where none is stored; index = partition. */
  async committedOffsets(groupId: string, topic: string): Promise<readonly (string | undefined)[]> {
    return (await this.storedOffsets(groupId, topic)).map((stored) => stored?.offset)
  }

  /** As committedOffsets, with what is stored beside the offsets. */
  async storedOffsets(groupId: string, topic: string): Promise<readonly (StoredOffset | undefined)[]> {
    const topics = await this.#connection.call('reading the stored offsets', (admin) =>
      admin.fetchOffsets({ groupId, topics: [topic] }),
    )
    const partitions = topics.find((entry) => entry.topic === topic)?.partitions ?? []
    return inOrder(partitions).map(({ offset, metadata }) =>
      BigInt(offset) < 0n ? undefined : { offset, metadata: metadata ?? null },
    )
  }

  /**
   * Stores the end offset of each partition without a stored offset, so that the first member of the group begins there.
   * The group must have no members, unless it has an offset for every partition.
   */
  async startGroupAtEnd(groupId: string, topic: string): Promise<void> {
    const stored = await this.committedOffsets(groupId, topic)
    if (stored.length > 0 && !stored.includes(undefined)) return
    const ends = await this.endOffsets(topic)
    await this.storeOffsets(
      groupId,
      topic,
      ends.map((end, partition) => (stored[partition] === undefined ? end : undefined)),
    )
  }

  /** Stores the offset of each partition that has one; index = partition. Refused when the group has members. */
  async storeOffsets(groupId: string, topic: string, offsets: readonly (string | undefined)[]): Promise<void> {
    const partitions = offsets.flatMap((offset, partition) => (offset === undefined ? [] : [{ partition, offset }]))
    if (partitions.length === 0) return
    await this.#connection.call('storing offsets', (admin) => admin.setOffsets({ groupId, topic, partitions }))
  }

  /** Does nothing when the group does not exist; refused when it has members. */
  async deleteGroup(groupId: string): Promise<void> {
    await this.#connection.call('deleting the group', (admin) => admin.deleteGroups([groupId]).catch(unlessNotFound))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close()
  }
}

function unlessNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error
}

function inOrder<T extends { partition: number }>(entries: readonly T[]): T[] {
  return entries.toSorted((a, b) => a.partition - b.partition)
}
