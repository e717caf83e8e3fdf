import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CompressionTypes, Kafka, logLevel, type Message } from 'kafkajs'
import { consumeUntil } from './consume.ts'

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

/** The sizes of all log files of a folder together. */
export function logBytes(dataDir: string): number {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.log'))
  // The cleaner removes files meanwhile.
  return names.reduce((sum, name) => sum + (statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0), 0)
}

export async function read(kafka: Kafka, count: number): Promise<string[]> {
  const consumer = kafka.consumer({ groupId: `reader-${Math.random()}`, maxWaitTimeInMs: 100 })
  const messages = await consumeUntil(consumer, 't', count)
  await consumer.disconnect()
  return messages.map(({ message }) => `${message.offset} ${message.key}=${message.value}`)
}
