import { LONGEST_WAIT_MS, readSse, type ServerSentEvent } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { call, target } from './target.ts'

/** The next `count` events of the stream, and when each arrived. */
async function take(
  count: number,
  headers: Record<string, string> = {},
): Promise<(ServerSentEvent & { at: number })[]> {
  const events: (ServerSentEvent & { at: number })[] = []
  const signal = AbortSignal.timeout(target.isOwn ? LONGEST_WAIT_MS : count * 2000 + 5000)
  for await (const event of readSse(`${target.url}/beer`, { headers, signal })) {
    events.push({ ...event, at: performance.now() })
    if (events.length === count) break
  }
  return events
}

describe('contract 4.4: GET /beer', () => {
  it('streams priced beers, a price with exactly two fraction digits each', async () => {
    const response = await call('/beer', { headers: { accept: 'text/event-stream' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    await response.body?.cancel()

    for (const event of await take(3)) {
      expect(event.event).toBe('message')
      expect(event.id).toBeTruthy()
      expect(event.data).toMatch(/^\{"name":".+","price":\d+\.\d{2}\}$/)
    }
  })

  it('contract 8: beer after beer, without failing', async () => {
    expect((await take(6)).map(({ event }) => event)).toEqual(Array(6).fill('message'))
  })

  // A system of this suite's own shares its machine with other tests, which have the generator's clock.
  it('contract 8: a beer every second', { tags: 'foreign-system', skip: target.isOwn === true }, async () => {
    const events = await take(6)
    const [first, last] = [events[0]?.at ?? 0, events[5]?.at ?? 0]
    expect(last - first).toBeGreaterThan(4000)
    expect(last - first).toBeLessThan(6500)
  })

  it('decisions 1.42: every client sees every beer', async () => {
    const [a, b] = await Promise.all([take(4), take(4)])
    const ids = new Set(a.map(({ id }) => id))
    expect(b.filter(({ id }) => ids.has(id)).length).toBeGreaterThanOrEqual(3)
  })

  it('decisions 1.43: Last-Event-ID resumes without a gap', async () => {
    const before = await take(4)
    const [first, ...rest] = before
    const after = await take(3, { 'Last-Event-ID': first?.id ?? '' })
    expect(after.map(({ id, data }) => ({ id, data }))).toEqual(rest.map(({ id, data }) => ({ id, data })))
  })

  it('decisions 1.43: an unknown Last-Event-ID starts live', async () => {
    const [event] = await take(1, { 'Last-Event-ID': 'nonsense' })
    expect(event?.event).toBe('message')
  })

  it('decisions 1.74: a wrong method is 405 with Allow', async () => {
    const response = await call('/beer', { method: 'POST' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toContain('GET')
  })
})

describe('contract 4.5: GET /beer/all', () => {
  it('answers beers above 15.0 only, with the fields of 2.4 and nothing else', async () => {
    const response = await call('/beer/all')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    const beers = (await response.json()) as Record<string, unknown>[]
    expect(beers.length).toBeGreaterThan(0)
    for (const beer of beers) {
      expect(Object.keys(beer).sort()).toEqual(['abv', 'name', 'tagline'])
      expect(beer['abv']).toBeGreaterThan(15)
    }
  })

  it('gives the same beers as NDJSON on request', async () => {
    const lines = (await (await call('/beer/all', { headers: { accept: 'application/x-ndjson' } })).text())
      .trimEnd()
      .split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(await (await call('/beer/all')).json())
  })
})
