import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createTopicAdmin, type KafkaClient } from '@taproom/messaging'
import type { PartitionRange } from './replay-ring.ts'

/** Every answer of Kafka has to come within this. */
const callTimeoutMs = 3000
/** Joining a group takes three seconds more on a Kafka of production size, which delays a group's first rebalance. */
const joinTimeoutMs = 10_000

/** A new consumer group without members, and what it is going to read. */
export interface FeedStart {
  readonly groupId: string
  readonly ranges: readonly PartitionRange[]
}

/**
 * Makes a group that begins `replay` messages before the end of each partition of a topic, which is created when it is
 * missing. One attempt; rejects when Kafka does not answer.
 */
export async function startBeforeEnd(kafka: KafkaClient, topic: string, replay: number): Promise<FeedStart> {
  const groupId = `beer-stream-${randomUUID()}`
  const ranges = await rangesBeforeEnd(kafka, topic, BigInt(replay))
  const offsets = ranges.map(({ partition, from }) => ({ topic, partition, offset: String(from) }))
  await commitOnce(kafka, groupId, topic, offsets)
  return { groupId, ranges }
}

type Offsets = { topic: string; partition: number; offset: string }[]

/** Stores offsets for a group as its only member, for a moment: kafkajs has no commit without joining. */
async function commitOnce(kafka: KafkaClient, groupId: string, topic: string, offsets: Offsets): Promise<void> {
  const consumer = kafka.kafkajs.consumer({ groupId, maxWaitTimeInMs: 100, retry: { retries: 0 } })
  async function commit(): Promise<void> {
    await consumer.connect()
    await consumer.subscribe({ topics: [topic] })
    await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: () => Promise.resolve() })
    await consumer.commitOffsets(offsets)
  }
  const over = new AbortController()
  const timeout = delay(joinTimeoutMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`group not joined within ${joinTimeoutMs} ms`)
  })
  try {
    await Promise.race([commit(), timeout])
  } finally {
    over.abort()
    await consumer.disconnect()
  }
}

async function rangesBeforeEnd(kafka: KafkaClient, topic: string, replay: bigint): Promise<readonly PartitionRange[]> {
  await using topics = createTopicAdmin(kafka, { timeoutMs: callTimeoutMs })
  await topics.ensureTopic(topic)
  const begins = await topics.beginOffsets(topic)
  const ends = await topics.endOffsets(topic)
  return ends.map((text, partition) => {
    const end = BigInt(text)
    const begin = BigInt(begins[partition] ?? '0')
    const from = end - replay
    return { partition, from: from > begin ? from : begin, end }
  })
}
