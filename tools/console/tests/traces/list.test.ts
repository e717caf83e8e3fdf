import { readSse } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import type { TraceGroup, TraceSummary } from '../../src/api/traces.ts'
import { BEARER } from '../fixtures/console.ts'
import { listTraces, openTraces, START, sendSpans, traceId } from '../fixtures/spans.ts'

async function openExamples() {
  const console = await openTraces()
  await sendSpans(console, {
    ...{ trace: 1, span: 1, name: 'GET /movie', service: 'movie-api', durationMs: 5 },
    attributes: { 'http.response.status_code': 200 },
  })
  await sendSpans(
    console,
    { trace: 2, span: 1, name: 'POST /', service: 'gateway', durationMs: 50, startMs: 10 },
    {
      trace: 2,
      span: 2,
      parent: 1,
      name: 'send beer',
      service: 'shop',
      startMs: 10,
      isError: true,
      attributes: { 'event.id': 'A-17' },
    },
  )
  await sendSpans(console, { trace: 3, span: 1, name: 'process Beer', service: 'shop', durationMs: 500, startMs: 20 })
  return console
}

describe('GET /api/traces', () => {
  const cases = {
    'everything, the newest first': ['', [3, 2, 1]],
    'by a service that has part in it': ['?service=shop', [3, 2]],
    'not by a part of a service’s name': ['?service=sho', []],
    'by a part of a span’s name, whatever its case': ['?name=beer', [3, 2]],
    'by errors': ['?status=error', [2]],
    'by their absence': ['?status=ok', [3, 1]],
    'by how long it took': ['?minMs=50', [3, 2]],
    'by how long it took at most': ['?maxMs=50', [2, 1]],
    'by the time of its start, from one': [`?from=${START + 10}`, [3, 2]],
    'by the time of its start, before one': [`?to=${START + 20}`, [2, 1]],
    'by an attribute, a number': ['?attribute=http.response.status_code=200', [1]],
    'by an attribute of a resource': ['?attribute=service.name=movie-api', [1]],
    'not by a part of an attribute’s value': ['?attribute=event.id=A', []],
    'not by a name that every object has': ['?attribute=constructor=x', []],
    'by a text anywhere': ['?text=a-17', [2]],
    'by a text that would be an expression': ['?text=.*', []],
    'by an attribute’s name': ['?text=event.id', [2]],
    'by several at once': ['?service=shop&status=ok&minMs=100', [3]],
    'no more than wanted': ['?limit=2', [3, 2]],
    'those before one': [`?before=${traceId(3)}`, [2, 1]],
    'those before one that is long gone: none': [`?before=${traceId(77)}`, []],
  } as const
  it.each(Object.entries(cases))('finds %s', async (_name, [query, expected]) => {
    await using console = await openExamples()
    expect((await listTraces(console, query)).map((trace) => trace.traceId)).toEqual(expected.map((id) => traceId(id)))
  })

  it.each([
    ['limit=0', 'limit is "0": expected a whole number from 1 to 500'],
    ['limit=1.5', 'limit is "1.5": expected a whole number from 1 to 500'],
    ['minMs=-1', 'minMs is "-1": expected a whole number from 0 to'],
    ['maxMs=1s', 'maxMs is "1s": expected a whole number from 0 to'],
    ['from=yesterday', 'from is "yesterday": expected a whole number from 0 to'],
    ['to=-5', 'to is "-5": expected a whole number from 0 to'],
    ['status=bad', 'status is "bad": expected one of ok, error'],
    ['group=service', 'group is "service": expected one of name'],
    ['attribute=event.id', 'attribute is "event.id": expected NAME=VALUE of at most 200 characters'],
    ['attribute==A', 'attribute is "=A": expected NAME=VALUE'],
    ['attribute=a=A&attribute=b=B', '"attribute" is given more than once: expected one'],
    ['maxms=5', '"maxms" is unknown: expected service, '],
    [`text=${'x'.repeat(201)}`, 'expected a text of at most 200 characters'],
  ])('refuses %s', async (query, reason) => {
    await using console = await openTraces()
    const response = await fetch(`${console.url}/api/traces?${query}`, { headers: BEARER })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining(reason) })
  })

  it('is live: what was there, then each trace that is new or has grown', async () => {
    await using console = await openExamples()
    const events = readSse(`${console.url}/api/traces?service=shop&limit=2`, { headers: BEARER })
    const next = async () => JSON.parse((await events.next()).value?.data ?? '{}').items as readonly TraceSummary[]
    expect((await next()).map((trace) => trace.traceId)).toEqual([traceId(3), traceId(2)])
    await sendSpans(console, { trace: 4, span: 1, service: 'elsewhere' })
    await sendSpans(console, { trace: 5, span: 1, service: 'shop' }, { trace: 3, span: 2, service: 'shop' })
    expect(await next()).toMatchObject([
      { traceId: traceId(5), spans: 1 },
      { traceId: traceId(3), spans: 2 },
    ])
    await events.return()
  })

  it('pages by the starts of traces, whatever came first', async () => {
    await using console = await openTraces()
    const started = { 1: 30, 2: 10, 3: 20, 4: 20 }
    for (const [trace, startMs] of Object.entries(started))
      await sendSpans(console, { trace: Number(trace), span: 1, startMs })
    const pageBefore = async (before: number) =>
      (await listTraces(console, `?limit=2&before=${traceId(before)}`)).map((trace) => Number(`0x${trace.traceId}`))
    expect(await pageBefore(1)).toEqual([4, 3])
    expect(await pageBefore(4)).toEqual([3, 2])
    expect(await pageBefore(2)).toEqual([])
  })

  it('groups traces by name and service, with how long they took', async () => {
    await using console = await openExamples()
    for (let trace = 11; trace <= 29; trace += 1)
      await sendSpans(console, {
        ...{ trace, span: 1, name: 'GET /movie', service: 'movie-api', durationMs: trace },
        ...{ startMs: trace, isError: trace === 12 },
      })
    const groups = (await listTraces(console, '?group=name&limit=2')) as readonly unknown[] as readonly TraceGroup[]
    expect(groups).toHaveLength(2)
    expect(groups[0]).toEqual({
      ...{ name: 'GET /movie', service: 'movie-api', traces: 20, failed: 1 },
      ...{ p50Ms: 19, p95Ms: 28, maxMs: 29, slowest: traceId(29), lastAt: START + 29 },
    })
    expect(await listTraces(console, '?group=name&service=gateway')).toMatchObject([{ name: 'POST /', traces: 1 }])
  })

  it('says of a trace that is not here that it is not', async () => {
    await using console = await openTraces()
    const response = await fetch(`${console.url}/api/traces/${traceId(1)}`, { headers: BEARER })
    expect(response.status).toBe(404)
  })
})
