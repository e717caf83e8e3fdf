import type { SpanView } from '../api/traces.ts'

/**
 * The spans of a trace by their starts, with the times of senders whose clocks are off moved: a span cannot begin before the one that caused
 * it, and a request is served while its client waits. All that one sender did below such a span is moved with it. `clockShiftMs` says by
 * how much.
 */
export function alignClocks(spans: ReadonlyMap<string, SpanView>): readonly SpanView[] {
  const children = new Map<string, SpanView[]>()
  const open: { readonly span: SpanView; readonly parent?: SpanView }[] = []
  for (const span of spans.values()) {
    const parent = parentIn(spans, span)
    if (parent === undefined) open.push({ span })
    else children.set(parent.spanId, [...(children.get(parent.spanId) ?? []), span])
  }
  const placed = new Map<string, SpanView>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { span, parent } = next
    const moved = shifted(span, parent === undefined ? 0 : shiftOf(span, parent))
    placed.set(span.spanId, moved)
    for (const child of children.get(span.spanId) ?? []) open.push({ span: child, parent: moved })
  }
  // Spans that are each other's ancestors are reached from nowhere.
  for (const span of spans.values()) if (!placed.has(span.spanId)) placed.set(span.spanId, span)
  return [...placed.values()].sort((one, other) => one.startedAt - other.startedAt)
}

/** The span that caused this one, if it is here. */
export function parentIn(spans: ReadonlyMap<string, SpanView>, span: SpanView): SpanView | undefined {
  const { parentSpanId, spanId } = span
  return parentSpanId === undefined || parentSpanId === spanId ? undefined : spans.get(parentSpanId)
}

function shifted(span: SpanView, ms: number): SpanView {
  if (ms === 0) return span
  const events = span.events.map((event) => ({ ...event, time: event.time + ms }))
  return { ...span, startedAt: span.startedAt + ms, events, clockShiftMs: ms }
}

function shiftOf(span: SpanView, parent: SpanView): number {
  if (senderOf(span) === senderOf(parent)) return parent.clockShiftMs ?? 0
  const early = parent.startedAt - span.startedAt
  const isServed = span.kind === 'server' && parent.kind === 'client'
  if (!isServed) return Math.max(0, early)
  const room = parent.durationMs - span.durationMs
  const late = -early - room
  if (early <= 0 && late <= 0) return 0
  // It took no longer than its client waited: the way there is taken to be as long as the way back.
  if (room >= 0) return early + room / 2
  // The client did not wait for the end.
  return early > 0 || -early > parent.durationMs ? early : 0
}

const IDENTITY = ['service.instance.id', 'host.name', 'process.pid']

/** Spans of one instance of a service share a clock. */
function senderOf({ service, resource }: SpanView): string {
  return JSON.stringify([service, ...IDENTITY.map((name) => resource[name])])
}
