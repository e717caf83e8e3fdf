import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { reasonOf } from '@taproom/lines'
import { startApacheKafka, type TestKafka } from '@taproom/testkit'
import { LeftOutError } from './suite.ts'

/** Suites have it written into their tests. */
const [HOST, PORT] = ['localhost', 9092]

export interface BrokerKind {
  readonly name: string
  /** A new broker without topics. @throws {LeftOutError} */
  start(): Promise<TestKafka>
}

export const EMBEDDED: BrokerKind = {
  name: 'embedded-kafka',
  async start() {
    const broker = await startEmbeddedKafka({ port: PORT, advertise: `${HOST}:${PORT}` })
    return { bootstrapServers: `${HOST}:${PORT}`, [Symbol.asyncDispose]: () => broker[Symbol.asyncDispose]() }
  },
}

export const APACHE: BrokerKind = {
  name: 'Apache Kafka',
  async start() {
    try {
      return await startApacheKafka({ host: HOST, port: PORT })
    } catch (error) {
      throw new LeftOutError(`Apache Kafka did not start: ${reasonOf(error)}`, { cause: error })
    }
  },
}
