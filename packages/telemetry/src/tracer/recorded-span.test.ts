import { ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { createSampling } from './sampling.ts'
import { SPAN_LIMITS, type SpanLimits } from './span-sink.ts'
import { createTracerProvider } from './tracer.ts'

const resource = resourceFromAttributes({ 'service.name': 'a-service' })
const spanLimits = { ...SPAN_LIMITS, attributeCountLimit: 3, attributeValueLengthLimit: 5, linkCountLimit: 1 }

function ours(limits: SpanLimits) {
  const ended: ReadableSpan[] = []
  const sampling = createSampling({ name: 'parentbased_always_on', ratio: 1 })
  const provider = createTracerProvider({ sampling, sink: { resource, limits, ended: (span) => ended.push(span) } })
  return { ended, tracer: provider.getTracer('test', '1') }
}

/** OpenTelemetry's own, which ours is to agree with. */
function theirs(limits: SpanLimits) {
  const ended: ReadableSpan[] = []
  const processor: SpanProcessor = {
    onStart: () => undefined,
    onEnd: (span) => void ended.push(span),
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  }
  const sampler = new ParentBasedSampler({ root: new AlwaysOnSampler() })
  const provider = new TracerProvider({ resource, sampler, spanLimits: limits, spanProcessors: [processor] })
  return { ended, tracer: provider.getTracer('test', '1') }
}

const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }

const CASES: Readonly<Record<string, (span: Span) => void>> = {
  nothing: () => undefined,
  'attributes of all kinds': (span) =>
    span.setAttributes({ text: 'a', list: ['b', 'c'], none: undefined }).setAttribute('number', 1.5),
  'attributes that an object only inherits': (span) =>
    span.setAttributes(Object.assign(Object.create({ inherited: 1 }), { own: 2 })),
  'the same attribute twice': (span) => span.setAttribute('a', 1).setAttribute('a', 2),
  'more than the limits allow': (span) =>
    span
      .setAttributes({ a: 'much too long', b: ['also too long'], c: 1, d: 2, e: 3 })
      .addLinks([{ context, attributes: { a: 'a long one' } }]),
  events: (span) => span.addEvent('one').addEvent('two', { a: 1 }, new Date(1000)).addEvent('three', 2_000_000_000_000),
  'a link': (span) => span.addLink({ context }),
  'an error': (span) => span.setStatus({ code: 2, message: 'broken' }),
  'OK, which stays': (span) => span.setStatus({ code: 1 }).setStatus({ code: 2 }),
  'an exception': (span) => span.recordException(Object.assign(new TypeError('x'), { code: 'CODE', stack: 'stack' })),
  'another name': (span) => span.updateName('other'),
}

/** All that is exported, but ids and times. */
function shown(span: ReadableSpan | undefined) {
  if (span === undefined) throw new Error('no span')
  const { name, kind, attributes, links, status, ended, instrumentationScope } = span
  const { droppedAttributesCount, droppedEventsCount, droppedLinksCount } = span
  const events = span.events.map(({ name: event, attributes: of = {} }) => ({ name: event, attributes: of }))
  const scope = { name: instrumentationScope.name, version: instrumentationScope.version }
  const linked = links.map(({ context: to, attributes: of = {} }) => ({ to, of }))
  const dropped = [droppedAttributesCount, droppedEventsCount, droppedLinksCount]
  return { name, kind, attributes, events, linked, status, ended, scope, dropped, resource: span.resource.attributes }
}

describe('a recorded span', () => {
  it.each(Object.keys(CASES))('is exported as that of the SDK, with %s', (name) => {
    const [mine, other] = [ours(spanLimits), theirs(spanLimits)].map(({ ended, tracer }) => {
      const span = tracer.startSpan('test', { kind: 2, attributes: { z: 'a text' } }, ROOT_CONTEXT)
      CASES[name]?.(span)
      span.end()
      return shown(ended[0])
    })
    expect(mine).toEqual(other)
  })

  it('is not changed after its end, and ends once', () => {
    const { ended, tracer } = ours(SPAN_LIMITS)
    const span = tracer.startSpan('test', {}, ROOT_CONTEXT)
    span.end()
    const before = shown(ended[0])
    span.setAttribute('a', 1).addEvent('b').addLink({ context }).setStatus({ code: 2 }).updateName('c').end()
    expect(ended).toHaveLength(1)
    expect(shown(ended[0])).toEqual(before)
    expect(span.isRecording()).toBe(false)
  })

  it('begins within its parent, whatever the clock says, and ends no earlier than it begins', () => {
    const { ended, tracer } = ours(SPAN_LIMITS)
    const parent = tracer.startSpan('parent', {}, ROOT_CONTEXT)
    tracer.startSpan('child', {}, trace.setSpan(ROOT_CONTEXT, parent)).end()
    parent.end()
    tracer.startSpan('late', { startTime: 2000 }, ROOT_CONTEXT).end([1, 0])
    const [child, whole, late] = ended
    const at = ([seconds, nanos] = [0, 0]) => seconds * 1e9 + nanos
    expect(at(child?.startTime)).toBeGreaterThanOrEqual(at(whole?.startTime))
    expect(at(child?.endTime)).toBeLessThanOrEqual(at(whole?.endTime))
    expect(child?.parentSpanContext).toBe(parent.spanContext())
    expect(late?.duration).toEqual([0, 0])
  })

  it('takes times as the API does', () => {
    const { ended, tracer } = ours(SPAN_LIMITS)
    tracer.startSpan('date', { startTime: new Date(1_700_000_000_123) }, ROOT_CONTEXT).end([1_700_000_001, 5_000_000])
    expect(ended[0]).toMatchObject({ startTime: [1_700_000_000, 123_000_000] })
    expect(ended[0]?.endTime[0]).toBe(1_700_000_001)
    expect(ended[0]?.duration[0]).toBe(0)
  })

  it('is active in what startActiveSpan runs', () => {
    const { tracer } = ours(SPAN_LIMITS)
    const named = tracer.startActiveSpan('a', { kind: 1 }, ROOT_CONTEXT, (span) => span.spanContext().traceId)
    expect(named).toMatch(/^[\da-f]{32}$/)
    expect(tracer.startActiveSpan('a', (span) => span.isRecording())).toBe(true)
  })
})
