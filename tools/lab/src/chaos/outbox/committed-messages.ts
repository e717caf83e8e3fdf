import { type KafkaClient, openOutgoing } from '@taproom/messaging'
import { waitFor } from '@taproom/testkit'
import { type LogRecord, openTopicLog } from '../topic-log.ts'

export const PARTITIONS = 3

/** All messages that a read_committed reader sees up to the end of a topic with `PARTITIONS`. */
export async function committedMessages(kafka: KafkaClient, topic: string): Promise<readonly LogRecord[]> {
  await using log = await openTopicLog(kafka, topic)
  await using writer = openOutgoing(kafka, { channel: 'marker', topic, timeoutMs: 90_000 })
  // A duplicate would be before these, which are in every partition.
  const markers = Array.from({ length: PARTITIONS * 20 }, (_, index) => `marker ${index}`)
  await Promise.all(markers.map((key) => writer.send({ key, value: '' })))
  await waitFor('the markers', () => new Set(markers).isSubsetOf(new Set(log.records.map(({ key }) => key))))
  return log.records.filter(({ key }) => !key.startsWith('marker'))
}
