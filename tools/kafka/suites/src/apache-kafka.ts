import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reasonOf } from '@taproom/core/lines'
import { freePort, waitFor } from '@taproom/testkit'
import { type ListeningNeeds, MIN_SESSION, type RunningBrokers } from './broker-kind.ts'
import { javaArgs, kafkaClasspath } from './java.ts'
import { needProgram } from './program.ts'
import { type RunningProgram, startProgram } from './running-program.ts'
import { LeftOutError } from './suite.ts'

/** Five brokers on a busy machine take minutes. */
const START_MS = 600_000
const HOST = 'localhost'
const CLUSTER = '4L6g3nShT-eMCtK--X86sw'

const LOGIN = 'org.apache.kafka.common.security.scram.ScramLoginModule required;'
/** The SCRAM logins of all listeners with SASL; embedded-kafka needs none. */
const SCRAM = Object.fromEntries(
  ['sasl_plaintext', 'sasl_ssl'].flatMap((listener) =>
    ['scram-sha-256', 'scram-sha-512'].map((mechanism) => [
      `listener.name.${listener}.${mechanism}.sasl.jaas.config`,
      LOGIN,
    ]),
  ),
)

/** A broker of a cluster, and where the others reach it. */
interface Node {
  readonly id: number
  readonly listeners: string
  readonly advertised: string
  readonly internalPort: number
  readonly controllerPort: number
}

/** Starts Apache Kafka from its jars, each broker as a process. @throws {LeftOutError} */
export async function startApacheKafka(needs: ListeningNeeds): Promise<RunningBrokers> {
  await kafkaClasspath()
  const folder = await mkdtemp(join(tmpdir(), 'taproom-apache-kafka-'))
  const nodes = await Promise.all(Array.from({ length: needs.brokers ?? 1 }, (_, index) => nodeOf(needs, index)))
  const running = new Map<number, RunningProgram>()
  const end = async () => {
    await Promise.all([...running.values()].map((broker) => broker.kill()))
    await rm(folder, { recursive: true, force: true })
  }
  const start = async ({ id, listeners }: Node) => {
    const log = join(folder, `broker-${id}.log`)
    const broker = await startProgram('java', await javaArgs('kafka.Kafka', [settingsFile(folder, id)]), {
      cwd: folder,
      log,
    })
    running.set(id, broker)
    await untilUp(firstPort(listeners), broker, log)
  }
  const nodeOfId = (nodeId: number) => {
    const node = nodes.find(({ id }) => id === nodeId)
    if (node === undefined) throw new RangeError(`no broker ${nodeId}`)
    return node
  }
  try {
    await Promise.all(nodes.map((node) => format(folder, node, nodes, needs)))
    await Promise.all(nodes.map(start))
  } catch (error) {
    await end()
    if (error instanceof LeftOutError) throw error
    throw new LeftOutError(`Apache Kafka did not start: ${reasonOf(error)}`, { cause: error })
  }
  return {
    bootstrapServers: nodes.map(({ listeners }) => `${HOST}:${firstPort(listeners)}`).join(','),
    stop: async (nodeId) => await running.get(nodeId)?.stop(),
    start: async (nodeId) => await start(nodeOfId(nodeId)),
    [Symbol.asyncDispose]: end,
  }
}

async function nodeOf({ listeners, advertisedListeners = listeners }: ListeningNeeds, index: number): Promise<Node> {
  return {
    id: index + 1,
    listeners: portsAfter(listeners, index),
    advertised: portsAfter(advertisedListeners, index),
    internalPort: await freePort(),
    controllerPort: await freePort(),
  }
}

function portsAfter(listeners: string, index: number): string {
  return listeners.replaceAll(/:(\d+)(?=,|$)/g, (_, port: string) => `:${Number(port) + index}`)
}

function firstPort(listeners: string): number {
  return Number(/:(\d+)(?:,|$)/.exec(listeners)?.[1])
}

const settingsFile = (folder: string, nodeId: number) => join(folder, `broker-${nodeId}.properties`)

async function format(folder: string, node: Node, nodes: readonly Node[], needs: ListeningNeeds): Promise<void> {
  const file = settingsFile(folder, node.id)
  await writeFile(file, properties(node, nodes, needs, join(folder, `logs-${node.id}`)))
  const users = (needs.scramUsers ?? []).flatMap((user) => ['--add-scram', user])
  const args = ['format', '-t', CLUSTER, '-c', file, ...users]
  await needProgram('java', await javaArgs('kafka.tools.StorageTool', args), { timeoutMs: START_MS })
}

function properties(node: Node, nodes: readonly Node[], needs: ListeningNeeds, logs: string): string {
  const protocols = ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL', 'INTERNAL:PLAINTEXT', 'CONTROLLER:PLAINTEXT']
  const replicas = Math.min(3, nodes.length)
  const settings: Readonly<Record<string, string | number>> = {
    'node.id': node.id,
    ...(needs.hasRacks === true && { 'broker.rack': node.id }),
    'replica.selector.class': 'org.apache.kafka.common.replica.RackAwareReplicaSelector',
    'process.roles': 'broker,controller',
    listeners: `${node.listeners},INTERNAL://${HOST}:${node.internalPort},CONTROLLER://${HOST}:${node.controllerPort}`,
    'advertised.listeners': `${node.advertised},INTERNAL://${HOST}:${node.internalPort}`,
    'listener.security.protocol.map': protocols
      .map((name) => (name.includes(':') ? name : `${name}:${name}`))
      .join(','),
    'inter.broker.listener.name': 'INTERNAL',
    'controller.listener.names': 'CONTROLLER',
    'controller.quorum.voters': nodes.map(({ id, controllerPort }) => `${id}@${HOST}:${controllerPort}`).join(','),
    'auto.create.topics.enable': String(needs.autoCreateTopics ?? true),
    'num.partitions': needs.defaultPartitions ?? 1,
    'default.replication.factor': replicas,
    'offsets.topic.replication.factor': replicas,
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': 1,
    'share.coordinator.state.topic.replication.factor': replicas,
    'share.coordinator.state.topic.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    ...MIN_SESSION,
    'log.dirs': logs,
    ...SCRAM,
    ...needs.security,
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${String(value).replaceAll('\n', '\\n')}`)
    .join('\n')
}

async function untilUp(port: number, broker: RunningProgram, log: string): Promise<void> {
  const isUp = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, HOST)
      socket.once('connect', () => socket.destroy() && resolve(true))
      socket.once('error', () => resolve(false))
    })
  await waitFor(`Apache Kafka on port ${port}`, async () => !broker.isRunning() || (await isUp()), {
    timeoutMs: START_MS,
  })
  if (broker.isRunning()) return
  const printed = (await readFile(log, 'utf8')).split('\n')
  throw new Error(printed.find((line) => /exception|error/i.test(line)) ?? 'it ended without a reason')
}
