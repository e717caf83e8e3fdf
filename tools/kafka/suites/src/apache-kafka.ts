import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { reasonOf } from '@taproom/core/lines'
import { freePort, waitFor } from '@taproom/testkit'
import { type BrokerNeeds, LISTENERS, MIN_SESSION, type RunningBrokers } from './broker-kind.ts'
import { runProgram } from './program.ts'
import { LeftOutError } from './suite.ts'

export const APACHE_VERSION = '4.1.0'

/** Five brokers on a busy machine take minutes. */
const START_MS = 600_000
const STOP_MS = 60_000
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

/** Starts Apache Kafka, each broker in a container with the network of this machine. @throws {LeftOutError} */
export async function startApacheKafka(needs: BrokerNeeds): Promise<RunningBrokers> {
  const nodes = await Promise.all(Array.from({ length: needs.brokers ?? 1 }, (_, index) => nodeOf(needs, index)))
  const names = nodes.map(() => `taproom-suite-${randomUUID()}`)
  const end = async () => void (await docker(['rm', '--force', ...names], STOP_MS))
  const nameOf = (nodeId: number) => names[nodeId - 1] ?? ''
  const untilUp = (nodeId: number) => waitForPort(firstPort(nodes[nodeId - 1]?.listeners ?? ''))
  try {
    await Promise.all(nodes.map((node) => startContainer(nameOf(node.id), properties(node, nodes, needs), needs)))
    await Promise.all(nodes.map(({ id }) => untilUp(id)))
  } catch (error) {
    await end()
    if (error instanceof LeftOutError) throw error
    throw new LeftOutError(`Apache Kafka did not start: ${reasonOf(error)}`, { cause: error })
  }
  return {
    bootstrapServers: nodes.map(({ listeners }) => `${HOST}:${firstPort(listeners)}`).join(','),
    stop: async (nodeId) => void (await docker(['stop', nameOf(nodeId)], STOP_MS)),
    async start(nodeId) {
      await docker(['start', nameOf(nodeId)], START_MS)
      await untilUp(nodeId)
    },
    [Symbol.asyncDispose]: end,
  }
}

async function nodeOf(
  { listeners = LISTENERS, advertisedListeners = listeners }: BrokerNeeds,
  index: number,
): Promise<Node> {
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

async function startContainer(name: string, settings: string, { scramUsers = [] }: BrokerNeeds): Promise<void> {
  const users = scramUsers.map((user) => `--add-scram '${user}'`).join(' ')
  const file = '/tmp/server.properties'
  const script = `printenv SERVER_PROPERTIES >${file} &&
    ${java('kafka.tools.StorageTool')} format --ignore-formatted -t ${CLUSTER} -c ${file} ${users} && exec ${java('kafka.Kafka')} ${file}`
  const image = `apache/kafka:${APACHE_VERSION}`
  const options = ['--network', 'host', '--entrypoint', 'bash', '--env', `SERVER_PROPERTIES=${settings}`]
  const { code, stderr } = await docker(['run', '--detach', '--name', name, ...options, image, '-c', script], START_MS)
  if (code !== 0) throw new LeftOutError(`Apache Kafka did not start: ${stderr.trim().split('\n').at(-1)}`)
}

function docker(args: readonly string[], timeoutMs: number) {
  return runProgram('docker', args, { timeoutMs })
}

/** Kafka's own scripts are not in every image. */
function java(main: string): string {
  return `java -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '/opt/kafka/libs/*' ${main}`
}

function properties(node: Node, nodes: readonly Node[], needs: BrokerNeeds): string {
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
    'log.dirs': '/tmp/kafka-logs',
    ...SCRAM,
    ...needs.security,
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${String(value).replaceAll('\n', '\\n')}`)
    .join('\n')
}

async function waitForPort(port: number): Promise<void> {
  await waitFor(
    `Apache Kafka on port ${port}`,
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, HOST)
        socket.once('connect', () => socket.destroy() && resolve(true))
        socket.once('error', () => resolve(false))
      }),
    { timeoutMs: START_MS },
  )
}
