import type { IncomingMessage, ServerResponse } from 'node:http'
import { startHttpServer, type TestHttpServer } from '@taproom/testkit'

/** A request that brought an event. */
export interface Delivery {
  readonly id: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** How a path answers; `attempt` counts the deliveries of one event to it, from 1. */
export type Behaviour = (res: ServerResponse, attempt: number) => void

/** A subscriber at many paths, which takes every event unless a test sets another answer. */
export interface EventSubscriber extends TestHttpServer {
  /** Everything that was delivered, in order. */
  readonly deliveries: readonly Delivery[]
  /** The deliveries of one event, to one path or to all. */
  deliveriesOf(id: string, path?: string): readonly Delivery[]
  answer(path: string, behaviour: Behaviour): void
}

/** Starts the subscriber. */
export async function startSubscriber(): Promise<EventSubscriber> {
  const deliveries: Delivery[] = []
  const behaviours = new Map<string, Behaviour>()
  const deliveriesOf = (id: string, path?: string) =>
    deliveries.filter((delivery) => delivery.id === id && (path === undefined || delivery.path === path))
  const server = await startHttpServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
    const path = req.url ?? ''
    const id = String(req.headers['ce-id'])
    const attempt = deliveriesOf(id, path).length + 1
    deliveries.push({ id, path, headers: req.headers, body: Buffer.concat(chunks).toString() })
    const behaviour = behaviours.get(path)
    if (behaviour === undefined) res.writeHead(202).end()
    else behaviour(res, attempt)
  })
  return {
    ...server,
    deliveries,
    deliveriesOf,
    answer: (path, behaviour) => void behaviours.set(path, behaviour),
  }
}

/** The manifest of a broker. */
export const brokerManifest = (name: string, spec = '') =>
  `apiVersion: eventing.knative.dev/v1\nkind: Broker\nmetadata: { name: ${name} }\nspec: {${spec}}\n`

/** The manifest of a trigger on events of the type that is its name; they go to the path of its name at `subscriber`. */
export const triggerManifest = (
  name: string,
  subscriber: string,
  { broker = 'default', delivery = '', filter = name, annotations = '', destination = '' } = {},
) => `
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata:
  name: ${name}
  annotations: {${annotations}}
spec:
  broker: ${broker}
  filter: { attributes: { type: ${filter} } }
  subscriber: ${destination || `{ uri: "${subscriber}/${name}" }`}
  ${delivery}
`

/** The annotation of a trigger that gets one event after another. */
export const ORDERED = 'kafka.eventing.knative.dev/delivery.order: ordered'
