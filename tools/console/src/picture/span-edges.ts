import type { PictureEdge } from '../api/system.ts'
import type { Attributes, SpanView } from '../api/traces.ts'
import { brokerOfTopic } from '../eventing/broker-topic.ts'

/** One time that something went along an edge. Its ends are nodes, or what `resolveEnd` makes a node of. */
export interface Passage extends Pick<PictureEdge, 'from' | 'to' | 'kind'> {
  readonly isFailed: boolean
  /** Undefined where nothing says how long it took. */
  readonly durationMs?: number
  readonly group?: string
}

/** The node of unknown callers. */
export const OUTSIDE = 'outside/callers'
/** Before a sink's node: the trigger that leads there. */
export const TRIGGER_TO = 'trigger-to/'
/** Before `host:port`: the process that listens there. */
export const ADDRESS = 'address/'

const ATTEMPTS: readonly string[] = ['deliver', 'dead letter']
const EVENTS_SCOPE = '@taproom/events'

export const serviceId = (name: string) => `service/${name}`

/** True for a span whose edge depends on its parent span. */
export function needsParent({ parentSpanId, kind, scope, name }: SpanView): boolean {
  if (parentSpanId === undefined) return false
  if (kind === 'server' || kind === 'consumer') return true
  return kind === 'client' ? scope === EVENTS_SCOPE : ATTEMPTS.includes(name)
}

/** The calls along edges of a span and its parent, where the parent is known. */
export function passagesOf(span: SpanView, parent: SpanView | undefined): readonly Passage[] {
  const { kind, name, service, attributes } = span
  if (kind === 'server') return served(span, parent)
  if (kind === 'client') return called(span, parent)
  if (kind === 'producer') {
    const topic = textOf(attributes, 'messaging.destination.name')
    if (topic === '') return []
    return [passage(span, { from: serviceId(service), to: topicId(topic), kind: 'produce' })]
  }
  if (kind === 'consumer') return consumed(span, parent)
  return ATTEMPTS.includes(name) ? attempted(span, parent) : []
}

/** The process that listens at an address, as a served request shows it. */
export function listenerOf(
  span: SpanView,
  parent: SpanView | undefined,
): { address: string; service: string } | undefined {
  if (span.kind !== 'server' || parent?.kind !== 'client' || parent.service === span.service) return undefined
  const address = addressOf(parent.attributes)
  return address === undefined ? undefined : { address, service: span.service }
}

function passage(
  { status, attributes, durationMs }: SpanView,
  edge: Pick<Passage, 'from' | 'to' | 'kind' | 'group'>,
): Passage {
  const code = Number(attributes['http.response.status_code'])
  // An answer that says that the request was wrong is no failure of who gave it, nor is a client that left.
  const isCallers = (code >= 400 && code < 500) || attributes['error.type'] === 'client_left'
  return { ...edge, isFailed: status === 'error' && !isCallers, durationMs }
}

function served(span: SpanView, parent: SpanView | undefined): readonly Passage[] {
  const to = serviceId(span.service)
  if (parent === undefined) return [passage(span, { from: OUTSIDE, to, kind: 'http' })]
  // The client's span says it already, and how long it took with the way.
  if (parent.service === span.service || addressOf(parent.attributes) !== undefined) return []
  return [passage(span, { from: serviceId(parent.service), to, kind: 'http' })]
}

function called(span: SpanView, parent: SpanView | undefined): readonly Passage[] {
  const { service, attributes } = span
  const from = serviceId(service)
  const database = textOf(attributes, 'db.system.name') || textOf(attributes, 'db.system')
  const address = addressOf(attributes)
  if (database !== '') {
    return [passage(span, { from, to: `database/${database}/${address ?? service}`, kind: 'query' })]
  }
  // The span of the attempt is counted already, and names the trigger.
  if (address === undefined || (parent !== undefined && ATTEMPTS.includes(parent.name))) return []
  return [passage(span, { from, to: ADDRESS + address, kind: 'http' })]
}

function consumed(span: SpanView, parent: SpanView | undefined): readonly Passage[] {
  const { attributes, service } = span
  const topic = textOf(attributes, 'messaging.destination.name')
  // A batch is received, its messages are processed: each counts once.
  if (topic === '' || textOf(attributes, 'messaging.operation.type') === 'receive') return []
  const from = topicId(topic)
  const group = textOf(attributes, 'messaging.consumer.group.name')
  const trigger = textOf(attributes, 'trigger')
  if (trigger !== '') {
    if (attributes['filter.result'] === 'not-matched') return []
    // How long it took is how long all of its deliveries took: that is theirs to say.
    const isFailed = attributes['filter.result'] === 'failed'
    return [{ from, to: `trigger/${trigger}`, kind: 'event', group, isFailed }]
  }
  const read = passage(span, { from, to: serviceId(service), kind: 'consume', group })
  const isSent = parent === undefined || parent.kind === 'producer' || parent.service === service
  if (isSent) return [read]
  // A service that sends in transactions has no span for each record.
  return [read, { from: serviceId(parent.service), to: from, kind: 'produce', isFailed: false }]
}

function attempted(span: SpanView, parent: SpanView | undefined): readonly Passage[] {
  const destination = textOf(span.attributes, 'delivery.destination')
  if (!URL.canParse(destination)) return []
  const { hostname, port, protocol } = new URL(destination)
  const to = ADDRESS + hostAndPort(hostname, port || (protocol === 'https:' ? 443 : 80))
  const trigger = textOf(parent?.attributes ?? {}, 'trigger')
  const from = trigger === '' ? TRIGGER_TO + to : `trigger/${trigger}`
  return [passage(span, { from, to, kind: 'event' })]
}

function topicId(topic: string): string {
  const broker = brokerOfTopic(topic)
  return broker === undefined ? `topic/${topic}` : `broker/${broker}`
}

function addressOf(attributes: Attributes): string | undefined {
  const host = textOf(attributes, 'server.address')
  return host === '' ? undefined : hostAndPort(host, attributes['server.port'])
}

function hostAndPort(host: string, port: unknown): string {
  return typeof port === 'number' || typeof port === 'string' ? `${host}:${port}` : host
}

/** Longer names are no names. */
const MAX_NAME = 200

function textOf(attributes: Attributes, name: string): string {
  const value = attributes[name]
  return typeof value === 'string' ? value.slice(0, MAX_NAME).toWellFormed() : ''
}
