import type { SpanContext } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { bytesTag, fixed32Tag, fixed64Tag, ProtobufWriter, varintTag } from './protobuf-writer.ts'

/** What a span takes, more or less. */
const SPAN_BYTES = 512
const [TRACE_ID_BYTES, SPAN_ID_BYTES] = [16, 8]

/** An `ExportTraceServiceRequest` (OTLP 1), by the field numbers of `opentelemetry/proto/trace/v1/trace.proto`. */
export function traceRequest(spans: readonly ReadableSpan[]): Uint8Array {
  const writer = new ProtobufWriter(spans.length * SPAN_BYTES)
  for (const [resource, ofResource] of Map.groupBy(spans, (span) => span.resource)) {
    const start = writer.begin(bytesTag(1))
    const own = writer.begin(bytesTag(1))
    writeAttributes(writer, bytesTag(1), resource.attributes)
    writer.integer(varintTag(2), 0)
    writer.end(own)
    for (const [scope, ofScope] of Map.groupBy(ofResource, (span) => span.instrumentationScope)) {
      writeScopeSpans(writer, scope, ofScope)
    }
    if (resource.schemaUrl) writer.text(bytesTag(3), resource.schemaUrl)
    writer.end(start)
  }
  return writer.finish()
}

function writeScopeSpans(
  writer: ProtobufWriter,
  { name, version, schemaUrl }: ReadableSpan['instrumentationScope'],
  spans: readonly ReadableSpan[],
): void {
  const start = writer.begin(bytesTag(2))
  const scope = writer.begin(bytesTag(1))
  writer.text(bytesTag(1), name)
  if (version) writer.text(bytesTag(2), version)
  writer.end(scope)
  for (const span of spans) writeSpan(writer, span)
  if (schemaUrl) writer.text(bytesTag(3), schemaUrl)
  writer.end(start)
}

function writeSpan(writer: ProtobufWriter, span: ReadableSpan): void {
  const start = writer.begin(bytesTag(2))
  const context = span.spanContext()
  const { parentSpanContext: parent } = span
  writeIds(writer, context)
  if (parent?.spanId) writer.id(bytesTag(4), parent.spanId, SPAN_ID_BYTES)
  writer.text(bytesTag(5), span.name)
  // OTLP has a kind 0, "unspecified".
  writer.integer(varintTag(6), span.kind + 1)
  writer.time(fixed64Tag(7), span.startTime)
  writer.time(fixed64Tag(8), span.endTime)
  writeAttributes(writer, bytesTag(9), span.attributes)
  writer.integer(varintTag(10), span.droppedAttributesCount)
  for (const event of span.events) writeEvent(writer, event)
  writer.integer(varintTag(12), span.droppedEventsCount)
  for (const link of span.links) writeLink(writer, link)
  writer.integer(varintTag(14), span.droppedLinksCount)
  writeStatus(writer, span.status)
  writer.fixed32Of16(flagsOf(context, parent))
  writer.end(start)
}

function writeIds(writer: ProtobufWriter, { traceId, spanId, traceState }: SpanContext): void {
  writer.id(bytesTag(1), traceId, TRACE_ID_BYTES)
  writer.id(bytesTag(2), spanId, SPAN_ID_BYTES)
  const state = traceState?.serialize()
  if (state) writer.text(bytesTag(3), state)
}

function writeEvent(writer: ProtobufWriter, event: ReadableSpan['events'][number]): void {
  const start = writer.begin(bytesTag(11))
  writer.time(fixed64Tag(1), event.time)
  writer.text(bytesTag(2), event.name)
  writeAttributes(writer, bytesTag(3), event.attributes)
  writer.integer(varintTag(4), event.droppedAttributesCount ?? 0)
  writer.end(start)
}

function writeLink(writer: ProtobufWriter, link: ReadableSpan['links'][number]): void {
  const start = writer.begin(bytesTag(13))
  writeIds(writer, link.context)
  writeAttributes(writer, bytesTag(4), link.attributes)
  writer.integer(varintTag(5), link.droppedAttributesCount ?? 0)
  writer.fixed32(fixed32Tag(6), flagsOf(link.context, link.context))
  writer.end(start)
}

function writeStatus(writer: ProtobufWriter, { code, message }: ReadableSpan['status']): void {
  const start = writer.begin(bytesTag(15))
  if (message) writer.text(bytesTag(2), message)
  writer.integer(varintTag(3), code)
  writer.end(start)
}

/** W3C's flags, and whether the parent is of another process, which is always known. */
function flagsOf({ traceFlags }: SpanContext, parent: SpanContext | undefined): number {
  return (traceFlags & 0xff) | 0x100 | (parent?.isRemote ? 0x200 : 0)
}

/** Attributes, or the members of a map in one. */
function writeAttributes(writer: ProtobufWriter, tag: number, attributes: object = {}): void {
  for (const key of Object.keys(attributes)) {
    const start = writer.begin(tag)
    writer.text(bytesTag(1), key)
    writeValue(writer, bytesTag(2), attributes[key as keyof typeof attributes])
    writer.end(start)
  }
}

/** An `AnyValue`; an empty one has no value. Maps and bytes are what the SDK takes beyond the types of the API. */
function writeValue(writer: ProtobufWriter, tag: number, value: unknown): void {
  const start = writer.begin(tag)
  if (typeof value === 'string') writer.text(bytesTag(1), value)
  else if (typeof value === 'boolean') writer.integer(varintTag(2), value ? 1 : 0)
  else if (typeof value === 'number') writeNumber(writer, value)
  else if (Array.isArray(value)) {
    const list = writer.begin(bytesTag(5))
    for (const each of value) writeValue(writer, bytesTag(1), each)
    writer.end(list)
  } else if (value instanceof Uint8Array) writer.bytes(bytesTag(7), value)
  else if (typeof value === 'object' && value !== null) {
    const map = writer.begin(bytesTag(6))
    writeAttributes(writer, bytesTag(1), value)
    writer.end(map)
  }
  writer.end(start)
}

function writeNumber(writer: ProtobufWriter, value: number): void {
  const isOf64Bits = Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63
  if (isOf64Bits) writer.integer(varintTag(3), value)
  else writer.double(fixed64Tag(4), value)
}
