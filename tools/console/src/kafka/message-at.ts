import type { Admin, KafkaMessage } from '@taproom/kafkajs'
import { HttpProblem } from '@taproom/service'
import { offsetsOf } from './topics.ts'

/** Where a record is. */
export interface RecordPlace {
  readonly topic: string
  readonly partition: number
  readonly offset: string
}

/** Kafka sends a whole batch also when it is larger. */
const MAX_BYTES = 2 * 1024 * 1024

/**
 * One committed record.
 * @throws {HttpProblem} 404 when it is not there
 */
export async function messageAt(admin: Admin, { topic, partition, offset }: RecordPlace): Promise<KafkaMessage> {
  const offsets = (await offsetsOf(admin, topic)).get(partition)
  const at = BigInt(offset)
  const isThere = offsets !== undefined && at >= BigInt(offsets.low) && at < BigInt(offsets.high)
  const partitions = [{ partition, offset }]
  const answers = isThere ? await admin.fetchRecords({ topic, partitions, maxBytes: MAX_BYTES, minBytes: 0 }) : []
  const message = answers[0]?.messages.find((each) => each.offset === offset)
  if (message !== undefined) return message
  throw new HttpProblem(404, { detail: `topic ${topic} has no record at offset ${offset} of partition ${partition}` })
}
