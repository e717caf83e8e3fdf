import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createTopicAdmin, type KafkaClient } from '@taproom/messaging'
import type { PartitionRange } from './replay-ring.ts'

/** Every answer of Kafka has to come within this. */
const callTimeoutMs = 3000
/** Moving a group takes two rebalances, which a Kafka of production size delays by three seconds each. */
const moveTimeoutMs = 15_000

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
  const admin = kafka.kafkajs.admin()
  const over = new AbortController()
  try {
    await admin.connect()
    const partitions = ranges.map(({ partition, from }) => ({ partition, offset: String(from) }))
    const moved = admin.setOffsets({ groupId, topic, partitions })
    const timeout = delay(moveTimeoutMs, undefined, { signal: over.signal }).then(() => {
      throw new Error(`group not moved within ${moveTimeoutMs} ms`)
    })
    await Promise.race([moved, timeout])
  } finally {
    over.abort()
    await admin.disconnect()
  }
  return { groupId, ranges }
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
