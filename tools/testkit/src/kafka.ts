import { freePort } from '@taproom/processes'
import { hasContainers } from './backend.ts'
import { startContainer } from './start-container.ts'

/** A Kafka broker that a test controls, empty at first. */
export interface TestKafka extends AsyncDisposable {
  readonly bootstrapServers: string
}

const IMAGE = 'apache/kafka:4.1.0'
/** Tests that kill a reader wait no longer for its session to end. */
const MIN_SESSION_MS = '1000'

/**
 * Starts a Kafka broker on a free port: Apache Kafka in a container, or the embedded broker in memory, of which TAPROOM_TEST_KAFKA_BROKERS
 * may want several, up to 9.
 *
 * @throws {Error} when the variable is something else
 */
export async function startKafka(): Promise<TestKafka> {
  if (await hasContainers('Kafka')) return startApacheKafka()
  // Loaded when a test wants a broker: loading it takes most tests longer than all else of this package.
  const { startEmbeddedKafka } = await import('@taproom/embedded-kafka')
  return startEmbeddedKafka({
    brokers: wantedBrokers(),
    properties: { 'group.min.session.timeout.ms': MIN_SESSION_MS },
  })
}

function wantedBrokers(): number {
  const wanted = process.env['TAPROOM_TEST_KAFKA_BROKERS'] || '1'
  if (/^[1-9]$/.test(wanted)) return Number(wanted)
  throw new Error(`TAPROOM_TEST_KAFKA_BROKERS="${wanted}": expected a number from 1 to 9`)
}

/** Starts Apache Kafka in a container, with Docker's engine. */
async function startApacheKafka(): Promise<TestKafka> {
  const { GenericContainer, Wait } = await import('testcontainers')
  // Clients connect to the address that the broker advertises: it must know its outside port before it starts.
  const port = await freePort()
  const described = new GenericContainer(IMAGE)
    .withExposedPorts({ container: 9092, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      // The broker sends transaction markers to itself, where the outside port does not lead.
      KAFKA_LISTENERS: 'PLAINTEXT://:9092,INTERNAL://127.0.0.1:9094,CONTROLLER://:9093',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port},INTERNAL://127.0.0.1:9094`,
      KAFKA_INTER_BROKER_LISTENER_NAME: 'INTERNAL',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: MIN_SESSION_MS,
    })
    .withWaitStrategy(Wait.forListeningPorts())
  const container = await startContainer(described)
  return {
    bootstrapServers: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => void (await container.stop({ timeout: 0 })),
  }
}
