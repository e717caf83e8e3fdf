import protobuf from 'protobufjs/minimal.js'
import type { SpanView } from '../api/traces.ts'
import { AttributesDraft } from './attributes-draft.ts'
import { OtlpError } from './otlp-error.ts'
import { BYTES, FIXED64, field, message, type Reader, readAttribute, skip, tagsOf, VARINT } from './protobuf-fields.ts'
import type { Reading } from './reading.ts'
import {
  counted,
  type DraftAttributes,
  kindOf,
  newSpan,
  type Sender,
  type SpanDraft,
  serviceOf,
  statusOf,
  withOne,
} from './span-draft.ts'

/**
 * The spans of an `ExportTraceServiceRequest` in protobuf, by the field numbers of `opentelemetry/proto/trace/v1/trace.proto`. Written by hand
 * on a reader that checks bounds, because spans come by the thousand: the classes that a schema makes take twice the time.
 *
 * Yields each span, and undefined after each resource, so that the caller can yield to other work. The spans are complete at the end: scope
 * and resource may come after them.
 *
 * @throws {OtlpError} when it is none, or too large
 */
export function* readProtobuf(bytes: Buffer, reading: Reading): Generator<SpanView | undefined, void, undefined> {
  const read = protobuf.Reader.create(bytes)
  try {
    while (read.pos < read.len) {
      const tag = read.tag()
      if (tag === field(1, BYTES)) yield* readResourceSpans(read, reading)
      else skip(read, tag)
    }
  } catch (cause) {
    if (cause instanceof OtlpError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new OtlpError('OTLP_INVALID', `the body is no ExportTraceServiceRequest in protobuf: ${reason}`, { cause })
  }
}

function* readResourceSpans(read: Reader, reading: Reading): Generator<SpanView | undefined, void, undefined> {
  const resource = new AttributesDraft()
  const own: SpanDraft[] = []
  reading.begin()
  for (const tag of tagsOf(read)) {
    if (tag === field(1, BYTES)) {
      readResource(read, resource, reading)
      yield undefined
    } else if (tag === field(2, BYTES)) yield* readScopeSpans(read, resource.values, own, reading)
    else skip(read, tag)
  }
  const service = serviceOf(resource.values)
  for (const span of own) {
    // The resource may come after its spans.
    span.service = service
    if (resource.dropped > 0) span.droppedResourceAttributes = resource.dropped
  }
}

function readResource(read: Reader, resource: AttributesDraft, reading: Reading): void {
  message(read, (tag) => {
    if (tag === field(1, BYTES)) readAttribute(read, resource, reading)
    else if (tag === field(2, VARINT)) resource.dropped += read.uint32()
    else return false
    return true
  })
}

function* readScopeSpans(
  read: Reader,
  resource: DraftAttributes,
  spans: SpanDraft[],
  reading: Reading,
): Generator<SpanView, void, undefined> {
  const sender = { service: '', resource, scope: '' }
  const first = spans.length
  for (const tag of tagsOf(read)) {
    if (tag === field(1, BYTES)) {
      message(read, (inner) => {
        if (inner !== field(1, BYTES)) return false
        sender.scope = reading.texts.read(read)
        return true
      })
    } else if (tag === field(2, BYTES)) {
      const span = readSpan(read, sender, reading)
      spans.push(span)
      yield span
    } else skip(read, tag)
  }
  for (let at = first; at < spans.length; at += 1) (spans[at] as SpanDraft).scope = sender.scope
}

function readSpan(read: Reader, sender: Sender, reading: Reading): SpanDraft {
  reading.begin()
  const span = newSpan(sender)
  const attributes = new AttributesDraft()
  const dropped = { events: 0, links: 0 }
  const ends = new Nanos()
  const starts = new Nanos()
  message(read, (tag) => {
    switch (tag) {
      case field(1, BYTES):
        span.traceId = hex(read)
        return true
      case field(2, BYTES):
        span.spanId = hex(read)
        return true
      case field(4, BYTES): {
        const parent = hex(read)
        if (parent !== '') span.parentSpanId = parent
        return true
      }
      case field(5, BYTES):
        span.name = reading.texts.read(read)
        return true
      case field(6, VARINT):
        span.kind = kindOf(read.int32())
        return true
      case field(7, FIXED64):
        starts.read(read)
        return true
      case field(8, FIXED64):
        ends.read(read)
        return true
      case field(9, BYTES):
        readAttribute(read, attributes, reading)
        return true
      case field(10, VARINT):
        attributes.dropped += read.uint32()
        return true
      case field(11, BYTES):
        if (reading.takesOne(span.events.length)) readEvent(read, span, reading)
        else dropped.events += skipMessage(read)
        return true
      case field(12, VARINT):
        dropped.events += read.uint32()
        return true
      case field(13, BYTES):
        if (reading.takesOne(span.links.length)) readLink(read, span, reading)
        else dropped.links += skipMessage(read)
        return true
      case field(14, VARINT):
        dropped.links += read.uint32()
        return true
      case field(15, BYTES):
        readStatus(read, span, reading)
        return true
      default:
        return false
    }
  })
  span.startedAt = starts.ms
  span.durationMs = ends.msSince(starts)
  return Object.assign(
    span,
    attributes.members,
    counted('droppedEvents', dropped.events),
    counted('droppedLinks', dropped.links),
  )
}

/** Skips an embedded message; returns 1, the number of messages skipped. */
function skipMessage(read: Reader): number {
  read.skip(read.uint32())
  return 1
}

function readEvent(read: Reader, span: SpanDraft, reading: Reading): void {
  let name = ''
  const time = new Nanos()
  const attributes = new AttributesDraft()
  message(read, (tag) => {
    if (tag === field(1, FIXED64)) time.read(read)
    else if (tag === field(2, BYTES)) name = reading.texts.read(read)
    else if (tag === field(3, BYTES)) readAttribute(read, attributes, reading)
    else if (tag === field(4, VARINT)) attributes.dropped += read.uint32()
    else return false
    return true
  })
  span.events = withOne(span.events, { name, time: time.ms, ...attributes.members })
}

function readLink(read: Reader, span: SpanDraft, reading: Reading): void {
  let traceId = ''
  let spanId = ''
  const attributes = new AttributesDraft()
  message(read, (tag) => {
    if (tag === field(1, BYTES)) traceId = hex(read)
    else if (tag === field(2, BYTES)) spanId = hex(read)
    else if (tag === field(4, BYTES)) readAttribute(read, attributes, reading)
    else if (tag === field(5, VARINT)) attributes.dropped += read.uint32()
    else return false
    return true
  })
  span.links = withOne(span.links, { traceId, spanId, ...attributes.members })
}

function readStatus(read: Reader, span: SpanDraft, reading: Reading): void {
  message(read, (tag) => {
    if (tag === field(2, BYTES)) {
      const text = reading.texts.read(read)
      if (text !== '') span.statusMessage = text
    } else if (tag === field(3, VARINT)) span.status = statusOf(read.int32())
    else return false
    return true
  })
}

function hex(read: Reader): string {
  const size = read.uint32()
  const from = read.pos
  read.skip(size)
  // Longer than any id: refused with the others that are none.
  return size > 16 ? 'too long' : (read.buf as Buffer).toString('hex', from, from + size)
}

/** A time of 64 bits in nanoseconds, in two halves: their difference is exact where that of two numbers is not. */
class Nanos {
  #low = 0
  #high = 0

  read(reader: Reader): void {
    this.#low = reader.fixed32()
    this.#high = reader.fixed32()
  }

  /** To the microsecond, as far as a number goes. */
  get ms(): number {
    return Math.round(this.#high * 4_294_967.296 + this.#low / 1000) / 1000
  }

  msSince(start: Nanos): number {
    return Math.max(0, ((this.#high - start.#high) * 0x1_0000_0000 + (this.#low - start.#low)) / 1e6)
  }
}
