import { randomUUID } from 'node:crypto'
import { startKafka } from '@taproom/testkit'
import { createKafka, type KafkaClient } from '../src/index.ts'
import { silentLog } from './silent-log.ts'

/** A broker for one test file, and names nobody else uses. */
export interface TestBroker extends AsyncDisposable {
  readonly bootstrapServers: string
  readonly kafka: KafkaClient
}

/** The broker named by TAPROOM_TEST_KAFKA when set (any Kafka that may be written to), else one that the test kit starts. */
export async function startBroker(): Promise<TestBroker> {
  const given = process.env['TAPROOM_TEST_KAFKA']
  const started = given === undefined ? await startKafka() : undefined
  const bootstrapServers = given ?? started?.bootstrapServers ?? ''
  return {
    bootstrapServers,
    kafka: createKafka({ clientId: 'messaging-test', bootstrapServers, log: silentLog }),
    async [Symbol.asyncDispose]() {
      await started?.[Symbol.asyncDispose]()
    },
  }
}

/** A name no other test has. */
export function unique(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 8)}`
}
