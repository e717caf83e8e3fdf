import type { NodeKind, NodeState, PictureEdge, PictureNode } from '../api/system.ts'
import type { EventingObjects } from './eventing-objects.ts'
import { GATEWAY, type PictureService, type PictureSystem, processId } from './places.ts'
import { crashedLately } from './process-edges.ts'
import { OUTSIDE } from './span-edges.ts'

/** Half of what goes to it fails. */
const BROKEN = 0.5
const MAX_NODES = 400
const PROCESSES: readonly PictureService['kind'][] = ['app', 'stand-in']

export interface NodesOptions {
  /** Undefined while `pnpm start` does not answer. */
  readonly services: readonly PictureService[] | undefined
  readonly eventing: EventingObjects
  readonly system: PictureSystem
  readonly edges: readonly PictureEdge[]
  /** Names of services that have run changed sources for a few seconds. */
  readonly reloaded: ReadonlySet<string>
}

/** All nodes of the picture: those that are known to be there, then those known only from spans. */
export function nodesOf({ services, eventing, system, edges, reloaded }: NodesOptions): readonly PictureNode[] {
  const nodes = new Map<string, PictureNode>()
  const add = (node: PictureNode) => {
    if (!nodes.has(node.id) && nodes.size < MAX_NODES) nodes.set(node.id, node)
  }
  add({ id: GATEWAY, kind: 'gateway', name: 'gateway', state: services === undefined ? 'unknown' : 'up' })
  for (const service of services ?? [])
    if (PROCESSES.includes(service.kind)) add(processNode(service, { system, reloaded }))
  for (const { id, name, state, reason } of [...eventing.brokers, ...eventing.triggers]) {
    add({ id, kind: kindOf(id), name, state, ...(reason !== undefined && { reason }) })
  }
  for (const { id, name, state, reason, instances } of eventing.sinks) {
    add({ id, kind: 'sink', name, state, instances, ...(reason !== undefined && { reason }) })
  }
  const kafka = [...nodes.values()].find(({ kind }) => kind === 'kafka')
  for (const { from, to } of edges) {
    for (const id of [from, to]) if (!nodes.has(id)) add(seenNode(id, edges, kafka))
  }
  return [...nodes.values()]
}

function processNode(
  service: PictureService,
  { system, reloaded }: Pick<NodesOptions, 'system' | 'reloaded'>,
): PictureNode {
  const id = processId(service, system)
  const [state, reason = reloaded.has(service.name) ? 'runs changed sources' : undefined] = stateOf(service)
  return { id, kind: kindOf(id), name: service.name, state, ...(reason !== undefined && { reason }) }
}

/** The words of `pnpm service list`. */
function stateOf(service: PictureService): readonly [NodeState, string?] {
  switch (service.state) {
    case 'ready':
      return crashedLately(service) ? ['up', 'crashed, started again'] : ['up']
    case 'starting':
    case 'restarting':
      return ['starting']
    case 'not ready':
      return ['down', `not ready: ${service.failing.map(({ name }) => name).join(', ')}`]
    case 'waiting':
      return ['down', 'crashed; starts again soon']
    default:
      return ['down', service.state]
  }
}

/** A node whose state shows only in the calls to it. */
function seenNode(id: string, edges: readonly PictureEdge[], kafka: PictureNode | undefined): PictureNode {
  const kind = kindOf(id)
  const node = { id, kind, name: nameOf(id) }
  if (kind === 'topic' && kafka !== undefined) return { ...node, state: kafka.state }
  if (id === OUTSIDE) return { ...node, state: 'up' }
  const own = edges.filter(({ from, to }) => to === id || (from === id && kind !== 'remote'))
  const rate = own.reduce((sum, edge) => sum + edge.rate, 0)
  const errorRate = own.reduce((sum, edge) => sum + edge.errorRate, 0)
  if (rate === 0) return { ...node, state: 'unknown' }
  if (errorRate < rate * BROKEN) return { ...node, state: 'up' }
  return { ...node, state: 'down', reason: `${Math.round((100 * errorRate) / rate)} % of the last ten seconds failed` }
}

const KINDS: readonly NodeKind[] = [
  'gateway',
  'service',
  'kafka',
  'topic',
  'broker',
  'trigger',
  'sink',
  'remote',
  'database',
  'outside',
]

function kindOf(id: string): NodeKind {
  const prefix = id.slice(0, id.indexOf('/'))
  return KINDS.find((kind) => kind === prefix) ?? 'outside'
}

function nameOf(id: string): string {
  const [kind, ...rest] = id.split('/')
  const [first = '', ...further] = rest
  // `database/sqlite/orders`, `broker/default/default`
  if (kind === 'database') return further.length === 0 ? first : `${first} of ${further.join('/')}`
  if (kind === 'broker' || kind === 'trigger' || kind === 'sink') return further.join('/') || first
  return rest.join('/')
}
