import { describe, expect, it } from 'vitest'
import { listTraces, openTraces, readTrace, request, send, sendSpans, spanId, traceId } from '../fixtures/spans.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('the traces that are kept', () => {
  it('are the newest: the oldest goes first, with all of its spans', async () => {
    await using console = await openTraces({ maxSpans: 20 })
    for (const trace of numbers(15)) await sendSpans(console, { trace, span: 1 }, { trace, span: 2, parent: 1 })
    expect((await listTraces(console)).map((trace) => trace.traceId)).toEqual(
      numbers(10).map((number) => traceId(16 - number)),
    )
    await expect(readTrace(console, traceId(5))).rejects.toThrow('made room for newer ones')
    expect(console.store.size).toMatchObject({ traces: 10, spans: 20 })
  })

  it('are bounded in bytes, however few they are', async () => {
    await using console = await openTraces({ maxBytes: 400_000 })
    const text = 'x'.repeat(30_000)
    for (const trace of numbers(30)) await sendSpans(console, { trace, span: 1, attributes: { text } })
    expect(console.store.size.bytes).toBeLessThanOrEqual(400_000)
    expect((await listTraces(console)).map((trace) => trace.traceId)).toContain(traceId(30))
    expect(await listTraces(console)).toHaveLength(13)
  })

  it('decisions 3.116: stay when one trace has spans without end: it has its share, and the sender is told', async () => {
    await using console = await openTraces({ maxSpans: 100 })
    for (const trace of numbers(20)) await sendSpans(console, { trace, span: 1 })
    const answer = await sendSpans(console, ...numbers(500).map((span) => ({ trace: 99, span })))
    expect(answer.json()).toEqual({
      partialSuccess: { rejectedSpans: '490', errorMessage: 'a trace has as many spans as are kept of one' },
    })
    const [giant, ...others] = await listTraces(console)
    expect(giant).toMatchObject({ traceId: traceId(99), spans: 10, rejected: 490 })
    expect(others).toHaveLength(20)
  })

  it('take a span that is sent again only once, as it came first', async () => {
    await using console = await openTraces()
    const told: string[] = []
    using _watching = console.store.watch((spans) => told.push(...spans.map(({ name }) => name)))
    await sendSpans(console, { trace: 1, span: 1, name: 'first' })
    const { bytes } = console.store.size
    const again = await sendSpans(console, {
      trace: 1,
      span: 1,
      name: 'second',
      attributes: { text: 'x'.repeat(9999) },
    })
    expect(again.json()).toEqual({})
    expect(await readTrace(console, traceId(1))).toMatchObject([{ name: 'first' }])
    expect(console.store.size).toMatchObject({ spans: 1, bytes })
    expect(told).toEqual(['first'])
  })

  it('decisions 3.116: count by themselves: neither small nor refused ones beside a large one make it smaller', async () => {
    await using console = await openTraces({ maxBytes: 1_000_000 })
    const refused = numbers(500).map(() => ({ trace: 0, span: 1 }))
    const small = numbers(500).map((span) => ({ trace: 2, span: span + 1 }))
    const text = 'x'.repeat(90_000)
    await sendSpans(console, { trace: 1, span: 1, attributes: { text } }, ...refused)
    expect(console.store.size.bytes).toBeGreaterThan(90_000)
    await sendSpans(console, { trace: 2, span: 1, attributes: { text: text + text } }, ...small)
    expect(await readTrace(console, traceId(2))).not.toContainEqual(expect.objectContaining({ spanId: spanId(1) }))
  })

  it('count what their sender says of itself once in each trace', async () => {
    await using console = await openTraces({ maxBytes: 1_000_000 })
    const first = { trace: 1, span: 1, service: 'x'.repeat(50_000) }
    const { resourceSpans } = request(first, { trace: 1, span: 2 }, { trace: 2, span: 3 })
    const scopeSpans = resourceSpans.flatMap((each) => each.scopeSpans)
    await send(console, JSON.stringify({ resourceSpans: [{ resource: resourceSpans[0]?.resource, scopeSpans }] }))
    expect(console.store.size.spans).toBe(3)
    expect(Math.floor(console.store.size.bytes / 50_000)).toBe(2)
  })

  it('are complete when spans come late, in any order, or never', async () => {
    await using console = await openTraces()
    await sendSpans(console, { trace: 1, span: 3, parent: 2, name: 'grandchild', service: 'c', startMs: 20 })
    expect(await listTraces(console)).toMatchObject([{ name: 'grandchild', service: 'c', spans: 1 }])
    await sendSpans(console, { trace: 2, span: 1 })
    await sendSpans(console, { trace: 1, span: 1, name: 'root', service: 'a', durationMs: 50, isError: true })
    expect(await listTraces(console)).toMatchObject([
      { traceId: traceId(2) },
      { traceId: traceId(1), name: 'root', service: 'a', services: ['a', 'c'], durationMs: 50, spans: 2, errors: 1 },
    ])
    expect((await readTrace(console, traceId(1))).map(({ name }) => name)).toEqual(['root', 'grandchild'])
  })

  it('survive spans that are their own ancestors', async () => {
    await using console = await openTraces()
    await sendSpans(
      console,
      { trace: 1, span: 1, parent: 2 },
      { trace: 1, span: 2, parent: 1 },
      { trace: 2, span: 1, parent: 1 },
    )
    expect(await readTrace(console, traceId(1))).toHaveLength(2)
    expect(await listTraces(console)).toMatchObject([{ spans: 1 }, { spans: 2 }])
  })
})

describe('clocks that differ', () => {
  const CLIENT = 3
  const SERVER = 2

  it('are put right below the span that caused the others, and the shift is said', async () => {
    await using console = await openTraces()
    await sendSpans(
      console,
      { trace: 1, span: 1, service: 'a', kind: CLIENT, startMs: 0, durationMs: 100 },
      { trace: 1, span: 2, parent: 1, service: 'b', kind: SERVER, startMs: -3_600_000, durationMs: 60 },
      { trace: 1, span: 3, parent: 2, service: 'b', kind: CLIENT, startMs: -3_599_990, durationMs: 10 },
    )
    const [first, second, third] = await readTrace(console, traceId(1))
    const start = first?.startedAt ?? 0
    expect(second).toMatchObject({ startedAt: start + 20, durationMs: 60, clockShiftMs: 3_600_020 })
    expect(third).toMatchObject({ startedAt: start + 30, clockShiftMs: 3_600_020 })
    expect(await listTraces(console)).toMatchObject([{ startedAt: start, durationMs: 100 }])
  })

  it('are left as they are where nothing is impossible', async () => {
    await using console = await openTraces()
    await sendSpans(
      console,
      { trace: 1, span: 1, service: 'a', kind: 4, startMs: 0, durationMs: 1 },
      { trace: 1, span: 2, parent: 1, service: 'b', kind: 5, startMs: 5000, durationMs: 60 },
      { trace: 1, span: 3, parent: 1, service: 'a', kind: 1, startMs: -10, durationMs: 5 },
    )
    const spans = await readTrace(console, traceId(1))
    expect(spans.map(({ clockShiftMs }) => clockShiftMs)).toEqual([undefined, undefined, undefined])
    expect(await listTraces(console)).toMatchObject([{ durationMs: 5070 }])
  })
})

it('hostile texts are shown as they came', async () => {
  await using console = await openTraces()
  const name = '<script>alert(1)</script>\u202e\u0000'
  expect((await send(console, JSON.stringify({ resourceSpans: [] }))).status).toBe(200)
  await sendSpans(console, { trace: 1, span: 1, name })
  expect(await listTraces(console)).toMatchObject([{ name }])
})
