import { readSse } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import type { TraceSummary } from '../../src/api/traces.ts'
import { BEARER } from '../fixtures/console.ts'
import { listTraces, openTraces, sendSpans, traceId } from '../fixtures/spans.ts'

async function openExamples() {
  const console = await openTraces()
  await sendSpans(console, { trace: 1, span: 1, name: 'GET /movie', service: 'movie-api', durationMs: 5 })
  await sendSpans(
    console,
    { trace: 2, span: 1, name: 'POST /', service: 'gateway', durationMs: 50 },
    {
      trace: 2,
      span: 2,
      parent: 1,
      name: 'send beer',
      service: 'shop',
      isError: true,
      attributes: { 'event.id': 'A-17' },
    },
  )
  await sendSpans(console, { trace: 3, span: 1, name: 'process Beer', service: 'shop', durationMs: 500 })
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
    ['limit=0', 'limit "0": expected a whole number from 1 to 500'],
    ['limit=1.5', 'limit "1.5": expected a whole number from 1 to 500'],
    ['minMs=-1', 'minMs "-1": expected a whole number from 0 to'],
    ['status=bad', 'status "bad": expected ok or error'],
    [`text=${'x'.repeat(201)}`, 'expected at most 200 characters'],
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

  it('says of a trace that is not here that it is not', async () => {
    await using console = await openTraces()
    const response = await fetch(`${console.url}/api/traces/${traceId(1)}`, { headers: BEARER })
    expect(response.status).toBe(404)
  })
})
