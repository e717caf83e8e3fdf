import type { EventStory } from '../api/eventing.ts'
import type { AttributeValue, SpanView } from '../api/traces.ts'
import type { StoredTrace } from '../traces/trace-store.ts'
import { brokerOfTopic } from './broker-topic.ts'

const MAX_ATTEMPTS = 50
const MAX_TRIGGERS = 100

/** The stories of the events of a trace at brokers; empty for a trace without events. */
export function storiesOf({ traceId, spans }: StoredTrace): EventStory[] {
  const events = new Map<string, SpanView[]>()
  const accepted = new Map<string, SpanView>()
  for (const span of spans.values()) {
    if (brokerOf(span) === undefined) continue
    if (span.kind === 'producer') accepted.set(span.spanId, span)
    else if (span.kind === 'consumer') {
      const key = span.parentSpanId ?? span.spanId
      events.set(key, [...(events.get(key) ?? []), span])
    }
  }
  if (accepted.size === 0 && events.size === 0) return []
  const children = childrenOf(spans)
  const keys = new Set([...accepted.keys(), ...events.keys()])
  const stories = [...keys].map((key) => {
    return storyOf({ traceId, key, spans, children, sent: accepted.get(key), seen: events.get(key) ?? [] })
  })
  return stories.sort((a, b) => b.acceptedAt - a.acceptedAt)
}

function brokerOf({ attributes }: SpanView): string | undefined {
  return brokerOfTopic(textOf(attributes['messaging.destination.name']))
}

type Children = ReadonlyMap<string, readonly SpanView[]>

function childrenOf(spans: StoredTrace['spans']): Children {
  return Map.groupBy(spans.values(), ({ parentSpanId = '' }) => parentSpanId)
}

interface Found {
  readonly traceId: string
  readonly key: string
  readonly spans: StoredTrace['spans']
  readonly children: Children
  /** The span of its way into the broker's topic. */
  readonly sent: SpanView | undefined
  /** The spans of the triggers that read it there. */
  readonly seen: readonly SpanView[]
}

function storyOf({ traceId, key, spans, children, sent, seen }: Found): EventStory {
  const [first] = seen
  // Before a trigger has read it, only the request knows which event it is.
  const request = sent?.parentSpanId === undefined ? undefined : spans.get(sent.parentSpanId)
  const { attributes = {} } = first ?? request ?? {}
  const partition = Number(first?.attributes['messaging.destination.partition.id'])
  const offset = first?.attributes['messaging.kafka.offset']
  return {
    key: `${traceId}/${key}`,
    traceId,
    id: textOf(attributes['cloudevents.event_id']),
    source: textOf(attributes['cloudevents.event_source']),
    type: textOf(attributes['cloudevents.event_type']),
    broker: brokerOf(sent ?? first ?? NO_SPAN) ?? '',
    acceptedAt: sent?.startedAt ?? Math.min(...seen.map(({ startedAt }) => startedAt)),
    ...(sent?.status === 'error' && { refused: sent.statusMessage ?? textOf(sent.attributes['error.type']) }),
    ...(first !== undefined &&
      typeof offset === 'number' && {
        record: { topic: textOf(first.attributes['messaging.destination.name']), partition, offset: String(offset) },
      }),
    triggers: seen
      .slice(0, MAX_TRIGGERS)
      .map((span) => triggerStory(span, children))
      .sort(byName),
  }
}

const NO_SPAN = { attributes: {} } as SpanView

function byName(a: { readonly trigger: string }, b: { readonly trigger: string }): number {
  return a.trigger < b.trigger ? -1 : 1
}

function triggerStory(span: SpanView, children: Children): EventStory['triggers'][number] {
  const { attributes } = span
  const end = textOf(attributes['delivery.end'])
  const own = (children.get(span.spanId) ?? []).filter(({ name }) => name === 'deliver' || name === 'dead letter')
  const attempts = own.sort((a, b) => a.startedAt - b.startedAt).slice(0, MAX_ATTEMPTS)
  return {
    trigger: textOf(attributes['trigger']),
    filter: textOf(attributes['filter.result']),
    ...(end !== '' && { end }),
    attempts: attempts.map((attempt) => attemptStory(attempt, children)),
    // A record that an attempt writes into a broker's topic itself is the event in the answer.
    hasReply: attempts.some(({ spanId }) =>
      (children.get(spanId) ?? []).some((child) => child.kind === 'producer' && brokerOf(child) !== undefined),
    ),
    isDeadLettered: end === 'dead-lettered',
  }
}

function attemptStory(span: SpanView, children: Children): EventStory['triggers'][number]['attempts'][number] {
  const request = (children.get(span.spanId) ?? []).find(({ kind }) => kind === 'client')
  const status = request?.attributes['http.response.status_code']
  const error = span.statusMessage ?? request?.statusMessage
  return {
    startedAt: span.startedAt,
    durationMs: span.durationMs,
    destination: textOf(span.attributes['delivery.destination']),
    isDeadLetter: span.name === 'dead letter',
    ...(typeof status === 'number' && { status }),
    ...(span.status === 'error' && { error: error ?? textOf(span.attributes['error.type']) }),
  }
}

function textOf(value: AttributeValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
