import { HttpProblem } from '@taproom/service'
import type { Attributes, AttributeValue, SpanView } from '../api/traces.ts'
import { wholeNumber } from '../http/query.ts'
import { summaryOf } from './summary.ts'
import type { StoredTrace } from './trace-store.ts'

/** Which traces are asked for. */
export interface TraceFilter {
  readonly matches: (trace: StoredTrace) => boolean
  readonly limit: number
  /** Only traces that were heard of before this one. */
  readonly before: string | undefined
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 500
const MAX_TEXT = 200
const MAX_MS = 1e12

/**
 * Reads `service`, `name`, `status`, `minMs`, `text`, `limit` and `before`.
 *
 * @throws {HttpProblem} 400, naming the parameter and what was expected
 */
export function readFilter(query: URLSearchParams): TraceFilter {
  const service = query.get('service') ?? ''
  const name = partOf(query, 'name')
  const text = partOf(query, 'text')
  const status = oneOf(query, 'status', ['ok', 'error'])
  const minMs = wholeNumber(query, 'minMs', { default: 0, min: 0, max: MAX_MS })
  const ofSpans: ((span: SpanView) => boolean)[] = []
  if (service !== '') ofSpans.push((span) => span.service === service)
  if (name !== undefined) ofSpans.push((span) => name.test(span.name))
  if (text !== undefined) ofSpans.push((span) => hasText(span, text))
  return {
    limit: wholeNumber(query, 'limit', { default: DEFAULT_LIMIT, min: 1, max: MAX_LIMIT }),
    before: query.get('before')?.toLowerCase() || undefined,
    matches: (trace) => {
      if (minMs > 0 && summaryOf(trace).durationMs < minMs) return false
      if (status !== undefined && (status === 'error') !== summaryOf(trace).errors > 0) return false
      return ofSpans.every((matches) => trace.spans.values().some(matches))
    },
  }
}

function hasText(span: SpanView, text: RegExp): boolean {
  return (
    text.test(span.name) ||
    text.test(span.service) ||
    text.test(span.traceId) ||
    (span.statusMessage !== undefined && text.test(span.statusMessage)) ||
    inAttributes(span.attributes, text) ||
    span.events.some((event) => text.test(event.name) || inAttributes(event.attributes, text))
  )
}

function inAttributes(attributes: Attributes, text: RegExp): boolean {
  for (const name in attributes) if (text.test(name) || inValue(attributes[name], text)) return true
  return false
}

function inValue(value: AttributeValue | undefined, text: RegExp): boolean {
  return text.test(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** The text of a parameter, to be found whatever its case. */
function partOf(query: URLSearchParams, name: string): RegExp | undefined {
  const part = query.get(name) ?? ''
  if (part.length > MAX_TEXT) throw wrong(name, part, `at most ${MAX_TEXT} characters`)
  return part === '' ? undefined : new RegExp(part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')
}

function oneOf<T extends string>(query: URLSearchParams, name: string, allowed: readonly T[]): T | undefined {
  const given = query.get(name) ?? ''
  const found = allowed.find((each) => each === given)
  if (given !== '' && found === undefined) throw wrong(name, given, allowed.join(' or '))
  return found
}

function wrong(name: string, given: string, expected: string): HttpProblem {
  return new HttpProblem(400, { detail: `${name} "${given.slice(0, 100)}": expected ${expected}` })
}
