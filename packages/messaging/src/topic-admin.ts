import type { Admin, Consumer } from 'kafkajs'
import { pause } from './back-off.ts'
import { commitOffsets } from './commit-offsets.ts'
import type { Assignment } from './consumer-run.ts'
import { atMost, withDeadline } from './deadline.ts'
import { joinGroup } from './group-member.ts'
import type { KafkaClient } from './kafka.ts'
import { brokerAnswer, isNotFound, isSettling } from './kafka-failure.ts'
import type { KafkaSession } from './kafka-session.ts'
import { configEntries, extendTopic, type TopicSettings } from './topic-settings.ts'

const DISCONNECT_LIMIT_MS = 500
const SETTLE_ATTEMPTS = 10
const SETTLE_RETRY_MS = 100

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
   * Stores the end offsets for the partitions of which the group has no stored offset, so that its first member begins
   * there. A group that has one for every partition is left alone; any other must have no members.
   */
  startGroupAtEnd(groupId: string, topic: string): Promise<void>
  /** Stores one offset for each partition, by index. The group must have no members. */
  storeOffsets(groupId: string, topic: string, offsets: readonly string[]): Promise<void>
  /** Deletes a group; one that is not there is fine, one that has members is refused. */
  deleteGroup(groupId: string): Promise<void>
}

interface Connection {
  readonly session: KafkaSession
  readonly admin: Admin
  readonly ready: Promise<Admin>
}

/** How long one call may take. */
export interface TopicAdminOptions {
  /** Milliseconds. Default 10000. */
  readonly timeoutMs?: number
}

/** Administers topics and groups; every call rejects after `timeoutMs` at the latest, a refused one with Kafka's own answer. */
export function createTopicAdmin(kafka: KafkaClient, options: TopicAdminOptions = {}): TopicAdmin {
  const { timeoutMs = 10_000 } = options
  let connection: Connection | undefined

  function connect(): Connection {
    const session = kafka.openSession()
    const admin = session.kafkajs.admin()
    const ready = admin.connect().then(() => admin)
    // Whoever waits for it is told; an attempt that nobody waits for any more fails silently.
    ready.catch(() => undefined)
    return { session, admin, ready }
  }

  async function call<T>(what: string, use: (admin: Admin) => Promise<T>): Promise<T> {
    connection ??= connect()
    const attempt = connection
    try {
      return await withDeadline(
        attempt.ready.then((admin) => whenSettled(() => use(admin))),
        timeoutMs,
        what,
      )
    } catch (error) {
      // Calls share the connection: an answer shows that it works. After anything else the next call starts with a fresh one.
      const answer = brokerAnswer(error)
      if (answer !== undefined) throw answer
      if (connection === attempt) connection = undefined
      void close(attempt)
      throw error
    }
  }

  /** kafkajs stores offsets as a member of the group only. */
  async function joinForAMoment(
    groupId: string,
    topic: string,
    onAssigned: (assignment: Assignment) => Promise<void>,
  ): Promise<void> {
    const member = joinGroup({
      kafka,
      channel: groupId,
      groupId,
      topic,
      fromBeginning: false,
      partitionsAtOnce: 1,
      onAssigned,
      onBatch: () => Promise.resolve(),
    })
    try {
      await withDeadline(member.assigned, timeoutMs, 'joining the group')
    } finally {
      await member.close()
    }
  }

  const topicAdmin: TopicAdmin = {
    async ensureTopic(name, partitions = 1, settings = {}) {
      const topics = [{ topic: name, numPartitions: partitions, configEntries: configEntries(settings) }]
      await call('creating the topic', async (admin) => {
        const isNew = await admin.createTopics({ topics, waitForLeaders: true })
        if (!isNew) await extendTopic(admin, name, settings)
      })
    },
    async deleteTopic(name) {
      await call('deleting the topic', (admin) => admin.deleteTopics({ topics: [name] }).catch(unlessNotFound))
    },
    async beginOffsets(topic) {
      const offsets = await call('reading the begin offsets', (admin) => admin.fetchTopicOffsets(topic))
      return byPartition(offsets.map(({ partition, low }) => ({ partition, value: low })))
    },
    async endOffsets(topic) {
      const offsets = await call('reading the end offsets', (admin) => admin.fetchTopicOffsets(topic))
      return byPartition(offsets.map(({ partition, high }) => ({ partition, value: high })))
    },
    async committedOffsets(groupId, topic) {
      const topics = await call('reading the stored offsets', (admin) =>
        admin.fetchOffsets({ groupId, topics: [topic] }),
      )
      const partitions = topics.find((entry) => entry.topic === topic)?.partitions ?? []
      return byPartition(
        partitions.map(({ partition, offset }) => ({ partition, value: BigInt(offset) < 0n ? undefined : offset })),
      )
    },
    async startGroupAtEnd(groupId, topic) {
      // Joining would wait for the session of a member that died.
      const stored = await topicAdmin.committedOffsets(groupId, topic)
      if (stored.length > 0 && !stored.includes(undefined)) return
      await joinForAMoment(groupId, topic, async ({ consumer, partitions }) => {
        const committed = await topicAdmin.committedOffsets(groupId, topic)
        const unknown = partitions.filter((partition) => committed[partition] === undefined)
        await storeEndOffsets(topicAdmin, consumer, topic, unknown)
      })
    },
    async storeOffsets(groupId, topic, offsets) {
      await joinForAMoment(groupId, topic, async ({ consumer }) => {
        await commitOffsets(
          consumer,
          offsets.map((offset, partition) => ({ topic, partition, offset })),
        )
      })
    },
    async deleteGroup(groupId) {
      await call('deleting the group', (admin) => admin.deleteGroups([groupId]).catch(unlessNotFound))
    },
    async [Symbol.asyncDispose]() {
      const last = connection
      connection = undefined
      if (last !== undefined) await close(last)
    },
  }
  return topicAdmin
}

/** Lets a group member begin at the end of the partitions, and stores that. */
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

/** Tries a few times, for less than a second in all, while Kafka is not ready for the request. */
async function whenSettled<T>(request: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request()
    } catch (error) {
      if (attempt === SETTLE_ATTEMPTS || !isSettling(error)) throw error
      await pause(SETTLE_RETRY_MS)
    }
  }
}

function unlessNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error
}

function byPartition<T>(entries: readonly { partition: number; value: T }[]): T[] {
  return [...entries].sort((a, b) => a.partition - b.partition).map(({ value }) => value)
}

async function close({ admin, session }: Connection): Promise<void> {
  await atMost(admin.disconnect(), DISCONNECT_LIMIT_MS)
  session.cut()
}
