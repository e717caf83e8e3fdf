import type { Attributes, AttributeValue, SpanView } from '../api/traces.ts'
import { type Field, oneOf, optional, readQuery, TIME, text, whole } from '../http/fields.ts'
import { summaryOf } from './summary.ts'
import type { StoredTrace } from './trace-store.ts'

/** The traces that a request asks for. */
export interface TraceFilter {
  readonly matches: (trace: StoredTrace) => boolean
  readonly limit: number
  /** Only traces that began before this one. */
  readonly before: string | undefined
  /** Groups of traces are asked for instead of traces. */
  readonly group: 'name' | undefined
}

interface WantedAttribute {
  readonly name: string
  readonly value: string
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 500
const MAX_TEXT = 200
const MAX_MS = 1e12

const TEXT = optional(text({ max: MAX_TEXT }))
const DURATION = optional(whole(0, MAX_MS))
const ATTRIBUTE: Field<WantedAttribute> = {
  expected: `NAME=VALUE of at most ${MAX_TEXT} characters`,
  read(given) {
    if (typeof given !== 'string' || given.length > MAX_TEXT) return undefined
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(given) ?? []
    return name === undefined || value === undefined ? undefined : { name, value }
  },
}

const PARAMETERS = {
  ...{ service: TEXT, name: TEXT, text: TEXT, before: TEXT },
  attribute: optional(ATTRIBUTE),
  status: optional(oneOf(['ok', 'error'])),
  ...{ minMs: DURATION, maxMs: DURATION, from: optional(TIME), to: optional(TIME) },
  limit: optional(whole(1, MAX_LIMIT)),
  group: optional(oneOf(['name'] as const)),
}

/**
 * Reads the parameters of `GET /api/traces`.
 *
 * @throws {HttpProblem} 400, naming the parameter and what was expected
 */
export function readFilter(query: URLSearchParams): TraceFilter {
  const given = readQuery(query, PARAMETERS)
  const { service, attribute, status, limit = DEFAULT_LIMIT, before, group } = given
  const { minMs = 0, maxMs = Number.POSITIVE_INFINITY, from = 0, to = Number.POSITIVE_INFINITY } = given
  const name = partOf(given.name)
  const part = partOf(given.text)
  const ofSpans: ((span: SpanView) => boolean)[] = []
  if (service !== undefined) ofSpans.push((span) => span.service === service)
  if (name !== undefined) ofSpans.push((span) => name.test(span.name))
  if (attribute !== undefined) ofSpans.push((span) => hasAttribute(span, attribute))
  if (part !== undefined) ofSpans.push((span) => hasText(span, part))
  return {
    ...{ limit, group, before: before?.toLowerCase() },
    matches(trace) {
      const { startedAt, durationMs, errors } = summaryOf(trace)
      if (startedAt < from || startedAt >= to || durationMs < minMs || durationMs > maxMs) return false
      if (status !== undefined && (status === 'error') !== errors > 0) return false
      return ofSpans.every((matches) => trace.spans.values().some(matches))
    },
  }
}

/** True when the span or its resource has the attribute. */
function hasAttribute({ attributes, resource }: SpanView, { name, value }: WantedAttribute): boolean {
  return [attributes, resource].some((of) => Object.hasOwn(of, name) && textOf(of[name]) === value)
}

function hasText(span: SpanView, part: RegExp): boolean {
  return (
    part.test(span.name) ||
    part.test(span.service) ||
    part.test(span.traceId) ||
    (span.statusMessage !== undefined && part.test(span.statusMessage)) ||
    inAttributes(span.attributes, part) ||
    span.events.some((event) => part.test(event.name) || inAttributes(event.attributes, part))
  )
}

function inAttributes(attributes: Attributes, part: RegExp): boolean {
  for (const name in attributes) if (part.test(name) || part.test(textOf(attributes[name]))) return true
  return false
}

function textOf(value: AttributeValue | undefined): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A part of a text, to be found whatever its case. */
function partOf(part: string | undefined): RegExp | undefined {
  return part === undefined ? undefined : new RegExp(RegExp.escape(part), 'i')
}
