import { randomUUID } from 'node:crypto'
import { startKafka, waitFor } from '@taproom/testkit'
import {
  createKafka,
  createTopicAdmin,
  type IncomingMessage,
  type KafkaClient,
  openIncoming,
  openOutgoing,
} from '../src/index.ts'
import { silentLog } from './silent-log.ts'

/** A broker for one test file, and unique names. */
export interface TestBroker extends AsyncDisposable {
  readonly bootstrapServers: string
  readonly kafka: KafkaClient
  /** Creates a topic with a unique name. */
  makeTopic(partitions?: number): Promise<string>
  /** Writes the values in this order, each with its first characters as key. */
  write(topic: string, ...values: readonly string[]): Promise<void>
  /** Reads a topic from its beginning until it is disposed of. */
  read(topic: string): TopicReader
}

/** The messages of a topic read so far. */
export interface TopicReader extends AsyncDisposable {
  readonly messages: readonly IncomingMessage[]
}

/**
 * Longer than a busy machine holds a process up, and so short that a member whose answer got lost, which the broker waits for as long, is gone
 * before a test gives up.
 */
const SESSION_TIMEOUT_MS = 20_000

/** The broker named by TAPROOM_TEST_KAFKA when set (any Kafka that may be written to), else one that the test kit starts. */
export async function startBroker(): Promise<TestBroker> {
  const given = process.env['TAPROOM_TEST_KAFKA']
  const started = given === undefined ? await startKafka() : undefined
  const bootstrapServers = given ?? started?.bootstrapServers ?? ''
  const options = { clientId: 'messaging-test', bootstrapServers, log: silentLog }
  const kafka = createKafka({ ...options, sessionTimeoutMs: SESSION_TIMEOUT_MS })
  return {
    bootstrapServers,
    kafka,
    async makeTopic(partitions = 1) {
      const topic = unique('topic')
      await using admin = createTopicAdmin(kafka)
      await admin.ensureTopic(topic, partitions)
      // A busy Kafka may answer before it knows its own topic.
      await waitFor('the topic', async () => (await admin.endOffsets(topic)).length === partitions)
      return topic
    },
    async write(topic, ...values) {
      await using channel = openOutgoing(kafka, { channel: 'writer', topic, bufferSize: 10_000, timeoutMs: 90_000 })
      await Promise.all(values.map((value) => channel.send({ key: value.slice(0, 100), value })))
    },
    read(topic) {
      const messages: IncomingMessage[] = []
      const onMessage = (message: IncomingMessage) => void messages.push(message)
      const channel = openIncoming(kafka, { channel: 'reader', topic, from: 'earliest', onMessage })
      return { messages, [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose]() }
    },
    async [Symbol.asyncDispose]() {
      await started?.[Symbol.asyncDispose]()
    },
  }
}

/** A name that no other test has. */
export function unique(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 8)}`
}

export const textOf = (message: IncomingMessage): string => String(message.value)
