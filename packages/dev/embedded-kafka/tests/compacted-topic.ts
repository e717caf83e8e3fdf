import { CompressionTypes, Kafka, logLevel, type Message } from 'kafkajs'

/** Each batch is a segment, and every sealed one is cleaned at once. */
export const COMPACT = { 'cleanup.policy': 'compact', 'internal.segment.bytes': '1', 'min.cleanable.dirty.ratio': '0' }

export function clientOf(bootstrapServers: string): Kafka {
  return new Kafka({ brokers: [bootstrapServers], logLevel: logLevel.NOTHING, retry: { retries: 10 } })
}

/** A client with a topic of these settings. */
export async function withTopic(kafka: Kafka, settings: Readonly<Record<string, string>>) {
  const stack = new AsyncDisposableStack()
  const [admin, producer] = [kafka.admin(), kafka.producer()]
  for (const client of [admin, producer]) {
    await client.connect()
    stack.defer(() => client.disconnect())
  }
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }))
  await admin.createTopics({ topics: [{ topic: 't', configEntries }] })
  const send = (messages: Message[], compression = CompressionTypes.None) =>
    producer.send({ topic: 't', messages, compression })
  return { send, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
