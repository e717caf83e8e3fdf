import { isJsonObject, JsonError, type JsonObject, parseJson } from '@taproom/core/limits'
import type { AttributeValue, SpanView } from '../api/traces.ts'
import { AttributesDraft } from './attributes-draft.ts'
import { OtlpError } from './otlp-error.ts'
import type { Reading } from './reading.ts'
import {
  counted,
  type DraftAttributes,
  kindOf,
  newSpan,
  numberValue,
  type Sender,
  type SpanDraft,
  serviceOf,
  setAttribute,
  statusOf,
  withOne,
} from './span-draft.ts'

/** JSON values in a text: each attribute takes about four. */
const MAX_VALUES = 1_000_000
const MAX_DEPTH = 100

/**
 * The spans of an `ExportTraceServiceRequest` in OTLP's JSON: ids are hex, numbers of 64 bits may be texts, members that are not known are
 * skipped. Yields each span, and undefined after each resource, so that the caller can yield to other work.
 *
 * @throws {OtlpError} when it is none, or too large
 */
export function* readJson(bytes: Buffer, reading: Reading): Generator<SpanView | undefined, void, undefined> {
  const request = object(parse(bytes), 'the body')
  for (const resourceSpans of objects(request, 'resourceSpans')) {
    reading.begin()
    const { attributes: resource, droppedAttributes = 0 } = attributesOf(optional(resourceSpans, 'resource'), reading)
    const dropped = counted('droppedResourceAttributes', droppedAttributes)
    yield undefined
    for (const scopeSpans of objects(resourceSpans, 'scopeSpans')) {
      const scope = text(optional(scopeSpans, 'scope'), 'name')
      const sender = { service: serviceOf(resource), resource, ...dropped, scope }
      for (const span of objects(scopeSpans, 'spans')) yield readSpan(span, sender, reading)
    }
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return parseJson(bytes.toString(), {
      maxDepth: MAX_DEPTH,
      maxValues: MAX_VALUES,
    })
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause
    const code = cause.code === 'JSON_TOO_MANY_VALUES' ? 'OTLP_TOO_LARGE' : 'OTLP_INVALID'
    throw new OtlpError(code, `the body: ${cause.message}`, { cause })
  }
}

function readSpan(given: JsonObject, sender: Sender, reading: Reading): SpanDraft {
  reading.begin()
  const span = newSpan(sender)
  span.traceId = text(given, 'traceId').toLowerCase()
  span.spanId = text(given, 'spanId').toLowerCase()
  const parent = text(given, 'parentSpanId').toLowerCase()
  if (parent !== '') span.parentSpanId = parent
  span.name = text(given, 'name')
  span.kind = kindOf(Number(integer(given, 'kind')))
  const start = BigInt(integer(given, 'startTimeUnixNano'))
  const duration = Number(BigInt(integer(given, 'endTimeUnixNano')) - start) / 1e6
  span.startedAt = msOf(start)
  span.durationMs = Math.max(0, duration)
  Object.assign(span, attributesOf(given, reading))
  const dropped = { events: count(given, 'droppedEventsCount'), links: count(given, 'droppedLinksCount') }
  for (const event of objects(given, 'events')) {
    if (!reading.takesOne(span.events.length)) {
      dropped.events += 1
      continue
    }
    const time = msOf(BigInt(integer(event, 'timeUnixNano')))
    span.events = withOne(span.events, { name: text(event, 'name'), time, ...attributesOf(event, reading) })
  }
  for (const link of objects(given, 'links')) {
    if (!reading.takesOne(span.links.length)) {
      dropped.links += 1
      continue
    }
    const ids = { traceId: text(link, 'traceId').toLowerCase(), spanId: text(link, 'spanId').toLowerCase() }
    span.links = withOne(span.links, { ...ids, ...attributesOf(link, reading) })
  }
  Object.assign(span, counted('droppedEvents', dropped.events), counted('droppedLinks', dropped.links))
  const status = optional(given, 'status')
  span.status = statusOf(Number(integer(status, 'code')))
  const message = text(status, 'message')
  if (message !== '') span.statusMessage = message
  return span
}

/** To the microsecond, as far as a number goes. */
function msOf(nanos: bigint): number {
  return Number(nanos / 1000n) / 1000
}

function attributesOf(given: JsonObject, reading: Reading): AttributesDraft['members'] {
  const draft = new AttributesDraft()
  draft.dropped = count(given, 'droppedAttributesCount')
  for (const each of objects(given, 'attributes')) {
    if (!draft.takes(reading)) continue
    const cutBefore = reading.cut
    draft.set(text(each, 'key'), readValue(optional(each, 'value'), reading, 0), reading, cutBefore)
  }
  return draft.members
}

function readValue(value: JsonObject, reading: Reading, depth: number): AttributeValue {
  if (isThere(value['stringValue'])) return text(value, 'stringValue')
  if (isThere(value['boolValue'])) return value['boolValue'] === true
  if (isThere(value['intValue'])) {
    const digits = integer(value, 'intValue')
    return Number.isSafeInteger(Number(digits)) ? Number(digits) : digits
  }
  // Also `"NaN"`, `"Infinity"` and `"-Infinity"`.
  if (isThere(value['doubleValue'])) return numberValue(Number(value['doubleValue']))
  if (isThere(value['bytesValue'])) return text(value, 'bytesValue')
  if (isThere(value['arrayValue'])) {
    return objects(optional(value, 'arrayValue'), 'values').flatMap((each) =>
      reading.takes(depth + 1) ? [readValue(each, reading, depth + 1)] : [],
    )
  }
  if (isThere(value['kvlistValue'])) {
    const map: DraftAttributes = {}
    for (const each of objects(optional(value, 'kvlistValue'), 'values')) {
      if (!reading.takes(depth + 1)) continue
      setAttribute(map, text(each, 'key'), readValue(optional(each, 'value'), reading, depth + 1))
    }
    return map
  }
  return null
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** The problem of a member, by name: SDKs write all members of a kind alike, so the name is enough to find it. */
function wrong(name: string, expected: string, value: unknown): OtlpError {
  const given = String(JSON.stringify(value)).slice(0, 100)
  return new OtlpError('OTLP_INVALID', `${name}: expected ${expected}, not ${given}`)
}

function object(value: unknown, name: string): JsonObject {
  if (isJsonObject(value)) return value
  throw wrong(name, 'an object', value)
}

const NOTHING: JsonObject = {}

function optional(parent: JsonObject, name: string): JsonObject {
  const value = parent[name]
  return isThere(value) ? object(value, name) : NOTHING
}

function objects(parent: JsonObject, name: string): readonly JsonObject[] {
  const value = parent[name]
  if (!isThere(value)) return []
  if (!Array.isArray(value)) throw wrong(name, 'an array of objects', value)
  for (const each of value) if (!isJsonObject(each)) throw wrong(name, 'an array of objects', each)
  return value as readonly JsonObject[]
}

function text(parent: JsonObject, name: string): string {
  const value = parent[name]
  if (!isThere(value)) return ''
  if (typeof value === 'string') return value
  throw wrong(name, 'a text', value)
}

/** The digits of an integer, which OTLP's JSON has as a number or as a text. */
function integer(parent: JsonObject, name: string): string {
  const value = parent[name]
  if (!isThere(value)) return '0'
  if (Number.isSafeInteger(value)) return String(value)
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return value
  // Times as numbers are beyond what a number has exactly.
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 64) return String(BigInt(value))
  throw wrong(name, 'an integer of 64 bits', value)
}

/** Reads how many items the sender has dropped, a number of 32 bits. */
function count(parent: JsonObject, name: string): number {
  return Math.max(0, Number(integer(parent, name)))
}
