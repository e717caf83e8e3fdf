import { propagation } from '@opentelemetry/api'
import { clientSpan, inThisSpan, outsideSpans, tracing } from '@taproom/core/spans'
import { recordSpans, type SpanRecorder } from '@taproom/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const SAMPLED = `00-${TRACE}-${PARENT}-01`
const UNSAMPLED = `00-${TRACE}-${PARENT}-00`

describe('tracing', () => {
  let spans: SpanRecorder
  beforeEach(async () => {
    spans = await recordSpans()
  })
  afterEach(async () => await spans[Symbol.asyncDispose]())
  const traces = () => {
    const found = tracing()
    if (found === undefined) throw new Error('not loaded')
    return found
  }
  const traceIdOf = (carrier: Record<string, string>) => {
    const { context, isTraced } = traces().extract(carrier)
    const span = traces().start('test', 'received', { kind: 'server', parent: context })
    return { isTraced, traceId: span?.spanContext().traceId }
  }

  it.each([
    ['a traceparent', { traceparent: SAMPLED }],
    ['the extension of CloudEvents over HTTP', { 'ce-traceparent': SAMPLED }],
    ['the extension of CloudEvents in Kafka', { ce_traceparent: SAMPLED }],
    ['a later version with more fields', { traceparent: `01-${TRACE}-${PARENT}-01-more` }],
  ])('continues the trace of %s', (_case, carrier) => {
    expect(traceIdOf(carrier as Record<string, string>)).toEqual({ isTraced: true, traceId: TRACE })
  })

  it("reads the message's own header before the extension", () => {
    const other = '1'.repeat(32)
    const carrier = { traceparent: `00-${other}-${PARENT}-01`, 'ce-traceparent': SAMPLED }
    expect(traceIdOf(carrier)).toEqual({ isTraced: true, traceId: other })
  })

  it.each([
    ['nothing', {}],
    ['no header', { traceparent: '' }],
    ['a broken one', { traceparent: `00-${TRACE}-${PARENT}` }],
    ['a broken one beside a good extension', { traceparent: 'x', 'ce-traceparent': SAMPLED }],
    ['one that is too long', { traceparent: `01-${TRACE}-${PARENT}-01-${'x'.repeat(512)}` }],
  ])('begins a trace with %s', (_case, carrier) => {
    const { isTraced, traceId } = traceIdOf(carrier as Record<string, string>)
    expect(isTraced).toBe(false)
    expect(traceId).toMatch(/^[\da-f]{32}$/)
    expect(traceId).not.toBe(TRACE)
  })

  it('takes baggage on, but none that is larger than its specification allows', () => {
    const passedOn = (baggage: string) => {
      const { context } = traces().extract({ traceparent: SAMPLED, baggage })
      const span = traces().start('test', 'received', { kind: 'server', parent: context })
      return traces().run(span, () => traces().inject(), context)
    }
    expect(passedOn('a=1,b=2')).toMatchObject({ baggage: 'a=1,b=2' })
    expect(passedOn(`a=${'1'.repeat(8192)}`)).not.toHaveProperty('baggage')
  })

  it('begins no further span inside of one that is not sampled, and says so to the next', async () => {
    const { context } = traces().extract({ traceparent: UNSAMPLED })
    const server = traces().start('test', 'received', { kind: 'server', parent: context })
    const headers = traces().run(
      server,
      () => {
        expect(traces().start('test', 'below')).toBeUndefined()
        return clientSpan('test', { method: 'GET', url: new URL('http://127.0.0.1/') })?.headers
      },
      context,
    )
    expect(headers?.['traceparent']).toBe(`00-${TRACE}-${server?.spanContext().spanId}-00`)
    expect(spans.ended).toEqual([])
  })

  it('computes attributes of spans that are recorded', () => {
    traces()
      .start('test', 'lazy', { attributes: () => ({ a: 1 }) })
      ?.end()
    expect(spans.ended).toMatchObject([{ name: 'lazy', attributes: { a: 1 } }])
  })

  it('decisions 3.96: computes no attributes of spans that are not recorded', () => {
    const { context } = traces().extract({ traceparent: UNSAMPLED })
    let computed = 0
    const attributes = () => ({ computed: ++computed })
    traces().start('test', 'received', { kind: 'server', parent: context, attributes })?.end()
    expect(computed).toBe(0)
    expect(spans.ended).toEqual([])
  })

  it('ends the span of a promise that rejects, with its code and without its words', async () => {
    const error = Object.assign(new Error('secret words'), { code: 'NOT_THERE' })
    const failing = traces().during('test', 'asked', {}, () => Promise.reject(error))
    await expect(failing).rejects.toBe(error)
    expect(spans.open()).toEqual([])
    expect(spans.ended).toMatchObject([
      { name: 'asked', status: { code: 2 }, attributes: { 'error.type': 'NOT_THERE' } },
    ])
    expect(JSON.stringify([spans.ended[0]?.attributes, spans.ended[0]?.events])).not.toContain('secret')
  })

  it('ends the span of work that throws at once', async () => {
    const error = new TypeError('x')
    const failing = traces().during('test', 'asked', {}, () => {
      throw error
    })
    await expect(failing).rejects.toBe(error)
    expect(spans.open()).toEqual([])
    expect(spans.ended).toMatchObject([{ name: 'asked', attributes: { 'error.type': 'TypeError' } }])
  })

  it('passes on what work returns or throws inside of a span that is not recorded, without a promise', () => {
    const parent = traces().extract({ traceparent: UNSAMPLED }).context
    const inside = (work: () => number) => traces().during('test', 'asked', { kind: 'server', parent }, work)
    expect(
      inside(() => {
        expect(traces().ids()?.trace_id).toBe(TRACE)
        return 1
      }),
    ).toBe(1)
    const error = new Error('x')
    expect(() =>
      inside(() => {
        throw error
      }),
    ).toThrow(error)
    expect(spans.ended).toEqual([])
  })

  it('says of a trace whether its sender has sampled it', () => {
    const isSampled = (traceparent: string) => traces().extract({ traceparent }).isSampled
    expect([SAMPLED, UNSAMPLED, `00-${TRACE}-${PARENT}-03`, `00-${TRACE}-${PARENT}-02`, 'x'].map(isSampled)).toEqual([
      ...[true, false, true, false, false],
    ])
  })

  it('reads nothing where the propagator fails', () => {
    propagation.disable()
    propagation.setGlobalPropagator({
      fields: () => ['traceparent'],
      inject() {},
      extract() {
        throw new URIError('malformed')
      },
    })
    expect(traceIdOf({ traceparent: SAMPLED }).isTraced).toBe(false)
  })

  it('has a client span without credentials and query, which ends once', () => {
    const span = clientSpan('test', {
      method: 'GET',
      url: new URL('https://me:secret@example.org/films/1?token=secret'),
    })
    span?.answered(503)
    span?.end()
    span?.end(new Error('later'))
    expect(spans.ended).toMatchObject([
      {
        kind: 2,
        attributes: {
          'url.full': 'https://example.org/films/1',
          'server.address': 'example.org',
          'server.port': 443,
          'http.response.status_code': 503,
          'error.type': '503',
        },
      },
    ])
  })

  it('keeps listeners inside, and what outlives a span outside', () => {
    const span = traces().start('test', 'around')
    const inside = traces().run(span, () => inThisSpan())
    expect(traces().active()).toBeUndefined()
    expect(inside(() => traces().active())).toBe(span)
    expect(traces().run(span, () => outsideSpans(() => traces().active()))).toBeUndefined()
  })
})
