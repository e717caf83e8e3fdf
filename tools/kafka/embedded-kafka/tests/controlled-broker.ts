import { type Consumer, type ConsumerConfig, Kafka, type KafkaConfig, logLevel, type Producer } from 'kafkajs'
import { afterEach, beforeEach } from 'vitest'
import { type Control, type EmbeddedKafka, startEmbeddedKafka } from '../src/index.ts'

/** A topic of two partitions. */
export const TOPIC = 'beers'

/** Tries again for as long as it takes, and soon. */
const PATIENT = { initialRetryTime: 20, factor: 0, retries: 1000 }

/** Clients of a broker, which are disconnected in the end. */
export class ControlledBroker {
  readonly broker: EmbeddedKafka
  readonly #open: (() => Promise<void>)[] = []

  constructor(broker: EmbeddedKafka) {
    this.broker = broker
  }

  get control(): Control {
    return this.broker.control
  }

  client(options: Partial<KafkaConfig> = {}): Kafka {
    const brokers = [this.broker.bootstrapServers]
    return new Kafka({ clientId: 'test', brokers, logLevel: logLevel.NOTHING, retry: PATIENT, ...options })
  }

  async connect<T extends { connect(): Promise<void>; disconnect(): Promise<void> }>(client: T): Promise<T> {
    await client.connect()
    this.#open.push(() => client.disconnect())
    return client
  }

  producer(kafka = this.client()): Promise<Producer> {
    return this.connect(kafka.producer({ idempotent: true, maxInFlightRequests: 1 }))
  }

  consumer(options: Partial<ConsumerConfig> = {}): Consumer {
    const consumer = this.client().consumer({ groupId: 'g', maxWaitTimeInMs: 100, ...options })
    this.#open.push(() => consumer.disconnect())
    return consumer
  }

  async send(value: string, partition = 0): Promise<void> {
    const producer = await this.producer()
    await producer.send({ topic: TOPIC, messages: [{ value, partition }] })
  }

  /** Of the partitions in order; by a client of its own, which is gone afterwards. */
  async endOffsets(): Promise<readonly string[]> {
    const admin = this.client({ clientId: 'admin' }).admin()
    await admin.connect()
    const offsets = await admin.fetchTopicOffsets(TOPIC).finally(() => admin.disconnect())
    return offsets.sort((a, b) => a.partition - b.partition).map(({ high }) => high)
  }

  async close(): Promise<void> {
    this.control.clearRules()
    await Promise.all(this.#open.map((close) => close()))
    await this.broker.close()
  }
}

/** A new one for each test of a file. */
export function controlledBroker(): () => ControlledBroker {
  let stage: ControlledBroker
  beforeEach(async () => {
    stage = new ControlledBroker(await startEmbeddedKafka({ topics: [{ name: TOPIC, partitions: 2 }] }))
  })
  afterEach(() => stage.close())
  return () => stage
}
