import { type KafkaClient, openIncoming } from '@taproom/messaging'

/** A record of a topic. */
export interface LogRecord {
  readonly partition: number
  readonly offset: bigint
  readonly key: string
  readonly value: string
}

/** Everything that a `read_committed` reader gets of a topic, in the order of each partition. */
export interface TopicLog extends AsyncDisposable {
  readonly records: readonly LogRecord[]
}

/** Reads a topic from its beginning until it is disposed of. */
export async function openTopicLog(kafka: KafkaClient, topic: string): Promise<TopicLog> {
  const records: LogRecord[] = []
  const channel = openIncoming(kafka, {
    channel: `log-of-${topic}`,
    topic,
    from: 'earliest',
    onMessage: ({ partition, offset, key, value }) => {
      records.push({ partition, offset: BigInt(offset), key: String(key), value: String(value) })
    },
  })
  await channel.assigned
  return { records, [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose]() }
}
