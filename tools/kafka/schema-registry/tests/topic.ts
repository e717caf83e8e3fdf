import { waitFor } from '@taproom/testkit'
import { Kafka, logLevel, type Message } from 'kafkajs'

interface TopicRecord {
  readonly key: string
  readonly value: string | null
}

const kafka = (bootstrapServers: string) =>
  new Kafka({ brokers: [bootstrapServers], logLevel: logLevel.NOTHING, retry: { retries: 5 } })

/** Writes records as another program would. */
export async function writeRecords(bootstrapServers: string, messages: readonly Message[]): Promise<void> {
  const producer = kafka(bootstrapServers).producer()
  await producer.connect()
  await producer.send({ topic: '_schemas', messages: [...messages] })
  await producer.disconnect()
}

/** All records of the topic but NOOP. */
export async function readRecords(bootstrapServers: string): Promise<readonly TopicRecord[]> {
  const admin = kafka(bootstrapServers).admin()
  await admin.connect()
  const [partition] = await admin.fetchTopicOffsets('_schemas')
  await admin.disconnect()
  const records: TopicRecord[] = []
  let next = 0n
  const consumer = kafka(bootstrapServers).consumer({ groupId: crypto.randomUUID() })
  await consumer.connect()
  await consumer.subscribe({ topic: '_schemas', fromBeginning: true })
  await consumer.run({
    eachMessage: async ({ message: { key, value, offset } }) => {
      records.push({ key: String(key), value: value && String(value) })
      next = BigInt(offset) + 1n
    },
  })
  await waitFor('the end of the topic', () => next >= BigInt(partition?.high ?? 0))
  await consumer.disconnect()
  return records.filter(({ key }) => !key.includes('"NOOP"'))
}
