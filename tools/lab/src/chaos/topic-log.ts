import { type KafkaClient, openIncoming } from '@taproom/messaging'

export interface LogRecord {
  readonly partition: number
  readonly offset: bigint
  readonly key: string
  readonly value: string
}

/** All records of a topic that a `read_committed` reader sees, in the order of each partition. */
export interface TopicLog extends AsyncDisposable {
  readonly records: readonly LogRecord[]
}

/** Reads a topic from its beginning until it is disposed of. */
export async function openTopicLog(kafka: KafkaClient, topic: string): Promise<TopicLog> {
  const records: LogRecord[] = []
  const positions = new Map<number, bigint>()
  const channel = openIncoming(kafka, {
    channel: `log-of-${topic}`,
    topic,
    from: 'earliest',
    onMessage: ({ partition, offset: text, key, value }) => {
      const offset = BigInt(text)
      // After a broken connection records come again: those of one offset are one record.
      if (offset <= (positions.get(partition) ?? -1n)) return
      positions.set(partition, offset)
      records.push({ partition, offset, key: String(key), value: String(value) })
    },
  })
  await channel.assigned
  return { records, [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose]() }
}
