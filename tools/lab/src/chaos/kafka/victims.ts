import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { startEmbeddedBroker } from '../../harness/broker.ts'
import type { Victim } from '../../harness/kill-loop.ts'
import { temporaryFolder } from '../../harness/temporary-folder.ts'

/** A Kafka with a data folder whose brokers are killed. */
export interface VictimKafka extends AsyncDisposable {
  readonly addresses: readonly string[]
  readonly victims: readonly Victim[]
  /** Brokers that ended by themselves. */
  readonly failures: () => readonly string[]
}

/** One broker is a process, killed by SIGKILL; several are in this process, and killed one by one. */
export async function startVictims(brokers: number): Promise<VictimKafka> {
  return brokers === 1 ? startProcess() : startCluster(brokers)
}

async function startProcess(): Promise<VictimKafka> {
  const broker = await startEmbeddedBroker()
  return {
    addresses: [broker.bootstrapServers],
    victims: [broker.power],
    failures: () => broker.power.failures,
    [Symbol.asyncDispose]: () => broker[Symbol.asyncDispose](),
  }
}

async function startCluster(brokers: number): Promise<VictimKafka> {
  await using opened = new AsyncDisposableStack()
  const path = await temporaryFolder(opened, 'taproom-chaos')
  const cluster = opened.use(await startEmbeddedKafka({ brokers, dataDir: path }))
  const resources = opened.move()
  return {
    addresses: cluster.bootstrapServers.split(','),
    victims: cluster.brokers.map((broker) => ({
      name: `broker ${broker.nodeId}`,
      get isRunning() {
        return broker.isRunning
      },
      kill: () => broker.kill(),
      start: () => broker.start(),
    })),
    failures: () => [],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
