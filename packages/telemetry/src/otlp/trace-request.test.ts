import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { traceRequest } from './trace-request.ts'

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((all) => Buffer.from(all).toString('hex'))
/** Of lengths around those at which a length or a text is written in another way. */
const text = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom(0, 23, 24, 25, 42, 43, 127, 128, 16_383, 16_384, 70_000).map((length) => 'x'.repeat(length)),
  fc.constantFrom(24, 43, 64, 127, 5462).map((length) => 'ß€'.repeat(length)),
  fc.constant('\ud800 alone'),
)
const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(-0, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, -(2 ** 63), 1e300),
)
const value = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.array(fc.option(text), { maxLength: 5 }),
  fc.array(number, { maxLength: 30 }),
  fc.uint8Array({ maxLength: 200 }),
  fc.object({ maxDepth: 2, maxKeys: 4 }),
)
const attributes = fc.dictionary(text, value, { maxKeys: 6 })
const time = fc.tuple(fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: 0, max: 999_999_999 }))
const state = fc.option(
  text.map((serialized) => ({ serialize: () => serialized })),
  { nil: undefined },
)
const context = fc.record({
  traceId: hex(16),
  spanId: hex(8),
  traceFlags: fc.constantFrom(0, 1, 255),
  isRemote: fc.constantFrom(undefined, true, false),
  traceState: state,
})
const count = fc.oneof(fc.constant(0), fc.nat())
const event = fc.record(
  { time, name: text, attributes, droppedAttributesCount: count },
  { requiredKeys: ['time', 'name'] },
)
const link = fc.record({ context, attributes, droppedAttributesCount: count }, { requiredKeys: ['context'] })
const scope = fc.record({ name: text, version: text, schemaUrl: text }, { requiredKeys: ['name'] })
const resource = attributes.map((all) => resourceFromAttributes(all as Record<string, string>))

/** Spans of few resources and scopes, as one process has them. */
const spans = fc
  .tuple(fc.array(resource, { minLength: 1, maxLength: 2 }), fc.array(scope, { minLength: 1, maxLength: 3 }))
  .chain(([resources, scopes]) =>
    fc.array(
      fc
        .record({
          own: context,
          parentSpanContext: fc.option(context, { nil: undefined }),
          name: text,
          kind: fc.integer({ min: 0, max: 4 }),
          startTime: time,
          endTime: time,
          attributes,
          events: fc.array(event, { maxLength: 3 }),
          links: fc.array(link, { maxLength: 3 }),
          status: fc.record({ code: fc.integer({ min: 0, max: 2 }), message: text }, { requiredKeys: ['code'] }),
          droppedAttributesCount: count,
          droppedEventsCount: count,
          droppedLinksCount: count,
          resource: fc.constantFrom(...resources),
          instrumentationScope: fc.constantFrom(...scopes),
        })
        .map(({ own, ...span }) => ({ ...span, spanContext: () => own }) as unknown as ReadableSpan),
      { maxLength: 6 },
    ),
  )

describe('a request of OTLP', () => {
  it("is byte for byte what OpenTelemetry's own serializer writes", () => {
    const isTheSame = fc.property(spans, (given) => {
      const theirs = ProtobufTraceSerializer.serializeRequest(given)
      expect(Buffer.from(traceRequest(given)).toString('hex')).toBe(Buffer.from(theirs ?? []).toString('hex'))
    })
    fc.assert(isTheSame, { numRuns: 60 })
  })

  const oneSpan = () =>
    fc.sample(
      spans.filter(({ length }) => length > 0),
      { numRuns: 1 },
    )[0]?.[0]

  it('has the attributes that an object has itself, not those of its prototype', () => {
    const given = [{ ...oneSpan(), attributes: Object.assign(Object.create({ inherited: 1 }), { own: 2 }) }]
    const theirs = ProtobufTraceSerializer.serializeRequest(given as unknown as ReadableSpan[])
    expect(Buffer.from(traceRequest(given as unknown as ReadableSpan[])).equals(theirs ?? Buffer.of())).toBe(true)
  })

  it('has zeros for an id of a link that is none, and loses nothing else', () => {
    const linkedWith = (traceId: string) => {
      const span = oneSpan()
      const { spanId } = span?.spanContext() ?? { spanId: '' }
      const links = [{ context: { traceId, spanId, traceFlags: 1 } }]
      return Buffer.from(traceRequest([{ ...span, links } as unknown as ReadableSpan])).toString('hex')
    }
    for (const wrong of ['x'.repeat(32), 'abc', '']) expect(linkedWith(wrong)).toBe(linkedWith('0'.repeat(32)))
    expect(linkedWith('a'.repeat(32))).not.toBe(linkedWith('0'.repeat(32)))
  })
})
