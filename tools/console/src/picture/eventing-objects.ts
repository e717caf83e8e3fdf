import type { Eventing, EventingObject } from '../api/eventing.ts'
import type { NodeState } from '../api/system.ts'

export interface EventingObjects {
  readonly brokers: readonly EventingNode[]
  readonly triggers: readonly (EventingNode & { readonly broker: string; readonly subscriber: string })[]
  readonly sinks: readonly (EventingNode & { readonly instances: number; readonly app: string })[]
}

/** `id` as a node's. */
export interface EventingNode {
  readonly id: string
  readonly name: string
  readonly state: NodeState
  readonly reason?: string
}

/** Objects of each kind; the resource API has 1000 objects at most. */
const MAX_OBJECTS = 100
const NONE: EventingObjects = { brokers: [], triggers: [], sinks: [] }

/** Reads brokers, triggers and sinks as nodes. Without an answer they are as they were, and their states are not known. */
export function createEventingReader(eventing: { read(): Promise<Eventing> }): () => Promise<EventingObjects> {
  let known = NONE
  return async () => {
    try {
      known = nodesOf(await eventing.read())
    } catch {
      const reason = 'the event platform does not answer'
      const lost = <T extends EventingNode>(node: T): T => ({ ...node, state: 'unknown', reason })
      known = { brokers: known.brokers.map(lost), triggers: known.triggers.map(lost), sinks: known.sinks.map(lost) }
    }
    return known
  }
}

function nodesOf({ brokers, triggers, sinks }: Eventing): EventingObjects {
  return {
    brokers: brokers.slice(0, MAX_OBJECTS).map((broker) => nodeOf('broker', broker)),
    triggers: triggers.slice(0, MAX_OBJECTS).map((trigger) => ({
      ...nodeOf('trigger', trigger),
      broker: `broker/${trigger.namespace}/${trigger.broker}`,
      subscriber: trigger.subscriber,
    })),
    sinks: sinks.slice(0, MAX_OBJECTS).map((sink) => {
      const { state, ...node } = nodeOf('sink', sink)
      const { instances, wanted, app } = sink
      const atZero = wanted > 0 ? 'starting' : 'asleep'
      return { ...node, state: state === 'up' && instances === 0 ? atZero : state, instances, app }
    }),
  }
}

const STATES = { True: 'up', False: 'down', Unknown: 'starting' } as const

function nodeOf(kind: string, { namespace, name, ready, message }: EventingObject): EventingNode {
  const node = { id: `${kind}/${namespace}/${name}`, name, state: STATES[ready] }
  return ready === 'True' || message === undefined ? node : { ...node, reason: message.slice(0, 300) }
}
