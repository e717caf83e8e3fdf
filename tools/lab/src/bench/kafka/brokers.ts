import { run } from '@taproom/processes'
import { freePort, waitFor } from '@taproom/testkit'
import { Kafka, logLevel } from 'kafkajs'
import { temporaryFolder } from '../../harness/temporary-folder.ts'
import { startKafka } from '../broker.ts'

const IMAGE = 'apache/kafka:4.1.0'
const START_MS = 120_000

/** A broker that keeps its records on the disk, and answers already. */
export interface RunningKafka extends AsyncDisposable {
  readonly kafka: Kafka
  readonly pid: number
}

export type StartKafka = () => Promise<RunningKafka>

const docker = async (...args: readonly string[]) => (await run('docker', args)).stdout.trim()

export const startEmbedded: StartKafka = async () => {
  await using opened = new AsyncDisposableStack()
  const path = await temporaryFolder(opened, 'bench-kafka')
  const { url, pid } = opened.use(await startKafka({ KAFKA_DATA_DIR: path }))
  return await answering(new URL(url).host, pid, opened)
}

/** In a container as its image has it, with the network of this machine. @throws {Error} without Docker or the image */
export const startApache: StartKafka = async () => {
  await using opened = new AsyncDisposableStack()
  const [port, controller] = [await freePort(), await freePort()]
  const env = {
    KAFKA_NODE_ID: '1',
    KAFKA_PROCESS_ROLES: 'broker,controller',
    KAFKA_LISTENERS: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
    KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
    KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
    KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
    KAFKA_CONTROLLER_QUORUM_VOTERS: `1@127.0.0.1:${controller}`,
    KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
    KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
    KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
    KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
    // As Apache Kafka's own scripts have it; the image that `.ci/images` builds is made to start soon.
    KAFKA_HEAP_OPTS: '-Xmx1G -Xms1G',
    KAFKA_JVM_PERFORMANCE_OPTS: '-server -XX:+UseG1GC -XX:MaxGCPauseMillis=20',
  }
  const given = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const id = await docker('run', '--detach', '--rm', '--network', 'host', ...given, IMAGE)
  opened.defer(async () => void (await docker('kill', id)))
  const pid = Number(await docker('inspect', '--format', '{{.State.Pid}}', id))
  return await answering(`127.0.0.1:${port}`, pid, opened)
}

async function answering(broker: string, pid: number, opened: AsyncDisposableStack): Promise<RunningKafka> {
  const kafka = new Kafka({ clientId: 'bench', brokers: [broker], logLevel: logLevel.NOTHING })
  const answers = async () => {
    const admin = kafka.admin({ retry: { retries: 0 } })
    try {
      await admin.connect()
      return (await admin.describeCluster()).brokers.length > 0
    } catch {
      return false
    } finally {
      await admin.disconnect()
    }
  }
  await waitFor('an answer of the broker', answers, { timeoutMs: START_MS, intervalMs: 10 })
  const resources = opened.move()
  return { kafka, pid, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}
