import type { AttributeValue, SpanView } from '../../src/api/traces.ts'
import { duration } from '../pieces/format.ts'
import { type Extent, endOf, type SpanRow } from './span-tree.ts'

/** A stretch of a trace in which work had to wait, and why. */
export interface Wait extends Extent {
  /** `waited 1.07 s for an instance` */
  readonly text: string
  /** A further sentence: `It started in 1 s.` */
  readonly more?: string
}

/** Shorter ones are no reason for a slow trace. */
const SHORTEST_MS = 0.1

/** The waits before and within spans, by span id, as far as spans name a reason. */
export function waitsOf(rows: readonly SpanRow[]): ReadonlyMap<string, readonly Wait[]> {
  const children = Map.groupBy(rows, ({ parent }) => parent)
  const waits = new Map<string, Wait[]>()
  const add = ({ span }: SpanRow, { from, ms }: Extent, why: string, more?: string) => {
    if (ms < SHORTEST_MS) return
    const wait = { from, ms, text: `waited ${duration(ms)} ${why}`, ...(more !== undefined && { more }) }
    waits.set(span.spanId, [...(waits.get(span.spanId) ?? []), wait])
  }
  for (const row of rows) {
    const { span, parent } = row
    const { attributes, startedAt } = span
    const since = (from: number) => ({ from, ms: startedAt - from })
    if (span.name === 'wait for instance')
      add(row, { from: startedAt, ms: span.durationMs }, 'for an instance', startOf(attributes))
    if (span.kind === 'consumer' && parent?.span.kind === 'producer')
      add(row, since(endOf(parent.span)), inTopic(attributes['messaging.destination.name']))
    const before = attemptBefore(span, children.get(parent) ?? [])
    if (before !== undefined) add(row, since(endOf(before)), `before attempt ${attributes['delivery.attempt']}`)
    for (const { name, time, attributes: retry } of span.events) {
      if (name !== 'retry') continue
      const next = children.get(row)?.find((child) => child.span.startedAt >= time)
      const ms = next === undefined ? Number(retry['delay_ms'] ?? 0) : next.span.startedAt - time
      add(next ?? row, { from: time, ms }, `before retry ${retry['attempt']}`)
    }
  }
  return waits
}

function startOf({ 'instance.start_ms': startMs }: SpanView['attributes']): string | undefined {
  return typeof startMs === 'number' ? `It started in ${duration(startMs)}.` : undefined
}

function inTopic(name: AttributeValue | undefined): string {
  return typeof name === 'string' ? `in topic ${name}` : 'in the topic'
}

/** The delivery of the same event to the same trigger that failed before this one. */
function attemptBefore({ attributes }: SpanView, siblings: readonly SpanRow[]): SpanView | undefined {
  const attempt = attributes['delivery.attempt']
  if (typeof attempt !== 'number') return undefined
  return siblings.find(({ span }) => span.attributes['delivery.attempt'] === attempt - 1)?.span
}
