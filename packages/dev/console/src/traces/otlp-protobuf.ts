import protobuf from 'protobufjs/minimal.js'
import type { SpanView } from '../api/traces.ts'
import { OtlpError } from './otlp-error.ts'
import { BYTES, FIXED64, field, fields, message, type Reader, readAttribute, VARINT } from './protobuf-fields.ts'
import type { Reading } from './reading.ts'
import {
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
 * @throws {OtlpError} when it is none, or too large
 */
export function readProtobuf(bytes: Buffer, reading: Reading): SpanView[] {
  const spans: SpanView[] = []
  const read = protobuf.Reader.create(bytes)
  try {
    fields(read, (tag) => {
      if (tag !== field(1, BYTES)) return false
      readResourceSpans(read, spans, reading)
      return true
    })
  } catch (cause) {
    if (cause instanceof OtlpError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new OtlpError('OTLP_INVALID', `the body is no ExportTraceServiceRequest in protobuf: ${reason}`, { cause })
  }
  return spans
}

function readResourceSpans(read: Reader, spans: SpanView[], reading: Reading): void {
  const resource: DraftAttributes = {}
  const own: SpanDraft[] = []
  message(read, (tag) => {
    if (tag === field(1, BYTES)) {
      message(read, (inner) => {
        if (inner !== field(1, BYTES)) return false
        readAttribute(read, resource, reading)
        return true
      })
    } else if (tag === field(2, BYTES)) readScopeSpans(read, resource, own, reading)
    else return false
    return true
  })
  const service = serviceOf(resource)
  for (const span of own) {
    // The resource may come after its spans.
    span.service = service
    spans.push(span)
  }
}

function readScopeSpans(read: Reader, resource: DraftAttributes, spans: SpanDraft[], reading: Reading): void {
  const sender = { service: '', resource, scope: '' }
  const first = spans.length
  message(read, (tag) => {
    if (tag === field(1, BYTES)) {
      message(read, (inner) => {
        if (inner !== field(1, BYTES)) return false
        sender.scope = reading.texts.read(read)
        return true
      })
    } else if (tag === field(2, BYTES)) spans.push(readSpan(read, sender, reading))
    else return false
    return true
  })
  for (let at = first; at < spans.length; at += 1) (spans[at] as SpanDraft).scope = sender.scope
}

function readSpan(read: Reader, sender: Sender, reading: Reading): SpanDraft {
  reading.add()
  const span = newSpan(sender)
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
        readAttribute(read, span.attributes, reading)
        return true
      case field(11, BYTES):
        readEvent(read, span, reading)
        return true
      case field(13, BYTES):
        readLink(read, span, reading)
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
  return span
}

function readEvent(read: Reader, span: SpanDraft, reading: Reading): void {
  reading.add()
  let name = ''
  const time = new Nanos()
  const attributes: DraftAttributes = {}
  message(read, (tag) => {
    if (tag === field(1, FIXED64)) time.read(read)
    else if (tag === field(2, BYTES)) name = reading.texts.read(read)
    else if (tag === field(3, BYTES)) readAttribute(read, attributes, reading)
    else return false
    return true
  })
  span.events = withOne(span.events, { name, time: time.ms, attributes })
}

function readLink(read: Reader, span: SpanDraft, reading: Reading): void {
  reading.add()
  let traceId = ''
  let spanId = ''
  const attributes: DraftAttributes = {}
  message(read, (tag) => {
    if (tag === field(1, BYTES)) traceId = hex(read)
    else if (tag === field(2, BYTES)) spanId = hex(read)
    else if (tag === field(4, BYTES)) readAttribute(read, attributes, reading)
    else return false
    return true
  })
  span.links = withOne(span.links, { traceId, spanId, attributes })
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
