import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { kubectl } from '../../harness/kubectl.ts'
import { LeftOutError } from '../area.ts'

const NAMESPACE = 'taproom-bench'
const READY_LIMIT = '--timeout=120s'
/** The pods that an event goes through: where it is posted, the channel, and who filters and delivers. */
const DATA_PLANE = ['eventing.knative.dev/brokerRole in (ingress, filter)', 'messaging.knative.dev/role=dispatcher']

/** Knative's own broker on a cluster whose processes run on this machine. */
export interface KnativeBroker {
  readonly url: string
  /** Knative's processes that an event goes through. */
  readonly pids: readonly number[]
}

/**
 * Address of this machine for the pods of the cluster that KUBECONFIG names.
 *
 * @throws {LeftOutError} where there is none with Knative's own broker, as `.ci/cluster up` makes one
 */
export async function ownAddress(): Promise<string> {
  const path = 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}'
  const node = await kubectl(['get', 'nodes', '-o', path]).catch((error: unknown) => {
    // kubectl says last what the matter is.
    const reason = String(error).trimEnd().split('\n').at(-1)
    throw new LeftOutError(`no cluster is there, as \`.ci/cluster up\` makes one: ${reason}`, { cause: error })
  })
  // Nothing is sent: the route to the node is what is asked for.
  const socket = createSocket('udp4')
  try {
    socket.connect(9, node)
    await once(socket, 'connect')
    return socket.address().address
  } finally {
    socket.close()
  }
}

/**
 * Makes a broker with its events in memory, and a trigger for each of the subscribers; they go with the stack.
 *
 * @throws {LeftOutError} where the cluster has no Knative, or its pods do not run on this machine
 */
export async function makeKnativeBroker(
  subscribers: readonly string[],
  opened: AsyncDisposableStack,
): Promise<KnativeBroker> {
  const pids = await dataPlane()
  const ingress = ['-n', 'knative-eventing', 'get', 'service', 'broker-ingress', '-o', 'jsonpath={.spec.clusterIP}']
  const url = `http://${await kubectl(ingress)}/${NAMESPACE}/default`
  const eventing = (kind: string, name: string, spec: object, annotations = {}) => {
    return { apiVersion: 'eventing.knative.dev/v1', kind, metadata: { name, namespace: NAMESPACE, annotations }, spec }
  }
  const filter = { attributes: { type: 'greeting' } }
  const items = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    eventing('Broker', 'default', {}, { 'eventing.knative.dev/broker.class': 'MTChannelBasedBroker' }),
    ...subscribers.map((uri, index) =>
      eventing('Trigger', `to-${index}`, { broker: 'default', filter, subscriber: { uri } }),
    ),
  ]
  opened.defer(async () => void (await kubectl(['delete', 'namespace', NAMESPACE, '--ignore-not-found', READY_LIMIT])))
  await kubectl(['apply', '--filename', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  await kubectl(['-n', NAMESPACE, 'wait', '--for=condition=Ready', 'broker,trigger', '--all', READY_LIMIT])
  return { url, pids }
}

/** Processes of the pods that an event goes through, by the control group that has the name of their container. */
async function dataPlane(): Promise<readonly number[]> {
  const path = 'jsonpath={range .items[*]}{.status.containerStatuses[*].containerID} {end}'
  const found = await Promise.all(
    DATA_PLANE.map((selector) =>
      kubectl(['-n', 'knative-eventing', 'get', 'pods', '--selector', selector, '-o', path]),
    ),
  )
  const containers = found
    .join(' ')
    .split(' ')
    .filter((id) => id !== '')
    .map((id) => id.slice(id.lastIndexOf('/') + 1))
  if (containers.length < DATA_PLANE.length + 1) throw new LeftOutError("the cluster has no broker of Knative's own")
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return containers.map((id) => {
    const pid = processes.find((each) => controlGroups(each).includes(id))
    if (pid === undefined) throw new LeftOutError('the pods of the cluster do not run on this machine')
    return Number(pid)
  })
}

/** Empty for a process that has just ended. */
function controlGroups(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, 'utf8')
  } catch {
    return ''
  }
}
