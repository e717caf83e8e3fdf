import { randomUUID } from 'node:crypto'
import { createTopicAdmin, type KafkaClient } from '@taproom/messaging'
import type { PartitionRange } from './replay-ring.ts'

/**
 * Makes a group without members that begins `replay` messages before the end of each partition, and says which range it will read; creates
 * a missing topic. One attempt; rejects when Kafka does not answer.
 */
export async function startBeforeEnd(kafka: KafkaClient, topic: string, replay: number) {
  const groupId = `beer-stream-${randomUUID()}`
  await using admin = createTopicAdmin(kafka)
  await admin.ensureTopic(topic)
  const begins = await admin.beginOffsets(topic)
  const ends = await admin.endOffsets(topic)
  const ranges = ends.map((text, partition): PartitionRange => {
    const end = BigInt(text)
    const begin = BigInt(begins[partition] ?? '0')
    const from = end - BigInt(replay)
    return { partition, from: from > begin ? from : begin, end }
  })
  await admin.storeOffsets(
    groupId,
    topic,
    ranges.map(({ from }) => String(from)),
  )
  return { groupId, ranges }
}
