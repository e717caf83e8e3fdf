import { randomUUID } from 'node:crypto'
import { waitFor } from '@taproom/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Overview, PictureEdge, PictureNode } from '../../src/api/system.ts'
import type { Series, SpanView, TraceSummary } from '../../src/api/traces.ts'
import type { SystemClient } from '../fixtures/client.ts'
import { sharedSystem } from '../fixtures/shared-system.ts'

let system: SystemClient
beforeAll(async () => {
  system = await sharedSystem()
})

const picture = () => system.get<Overview>('/api/overview')
const node = async (id: string): Promise<PictureNode | undefined> =>
  (await picture()).nodes.find((one) => one.id === id)

function edge(overview: Overview, from: string, to: string): PictureEdge | undefined {
  return overview.edges.find((one) => one.from === from && one.to === to)
}

/** Waits until something goes along each of these edges at the same time, while `use` uses the system. */
async function traffic(edges: readonly (readonly [string, string])[], use = async () => {}): Promise<Overview> {
  return await waitFor(
    edges.join(' and '),
    async () => {
      await use()
      const overview = await picture()
      return edges.every(([from, to]) => (edge(overview, from, to)?.rate ?? 0) > 0) && overview
    },
    { intervalMs: 200 },
  )
}

async function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const response = await fetch(`${system.url}${path}`, { headers })
  await response.text()
  return response.status
}

describe('the picture of the whole system', () => {
  it('has what runs, what is brought, and what falls asleep', async () => {
    const { nodes } = await waitFor('all to be up', async () => {
      const overview = await picture()
      return (
        overview.nodes.every(({ state }) => state === 'up' || state === 'asleep' || state === 'unknown') && overview
      )
    })
    const ids = nodes.map(({ id }) => id)
    const apps = ['claim-api', 'movie-api', 'beer-generator', 'price-generator', 'beer-stream', 'event-platform']
    expect(ids).toEqual(expect.arrayContaining(apps.map((name) => `service/${name}`)))
    expect(ids).toEqual(
      expect.arrayContaining([
        ...['gateway/gateway', 'kafka/embedded-kafka', 'remote/film-standin', 'remote/beer-standin'],
        ...['broker/default/default', 'trigger/default/aloha', 'trigger/default/bonjour'],
        ...['sink/default/eventingaloha', 'sink/default/eventingbonjour'],
      ]),
    )
    expect(ids.filter((id) => id.includes('console'))).toEqual([])
    expect(ids.length).toBe(new Set(ids).size)
  })

  it('has beers on their way over both topics', async () => {
    const overview = await traffic([
      ['service/beer-generator', 'topic/beer'],
      ['topic/beer', 'service/price-generator'],
      ['service/price-generator', 'topic/priced-beer'],
      ['topic/priced-beer', 'service/beer-stream'],
    ])
    expect(edge(overview, 'service/beer-generator', 'topic/beer')).toMatchObject({ kind: 'produce' })
    await waitFor('lag', async () => {
      const { lag } = edge(await picture(), 'topic/beer', 'service/price-generator') ?? {}
      return lag !== undefined && lag.count >= 0
    })
    expect(overview.nodes.find(({ id }) => id === 'topic/beer')).toMatchObject({ kind: 'topic', state: 'up' })
  })

  it('has a request from outside to the films and the database, and its trace', async () => {
    const trace = randomUUID().replaceAll('-', '')
    await waitFor('films', async () => (await get('/movie?year=1980')) === 200)
    const overview = await traffic(
      [
        ['outside/callers', 'gateway/gateway'],
        ['gateway/gateway', 'service/movie-api'],
        ['service/movie-api', 'remote/film-standin'],
        ['service/movie-api', 'database/sqlite/movie-api'],
      ],
      async () => void (await get('/movie?year=1980', { traceparent: `00-${trace}-b7ad6b7169203331-01` })),
    )
    const asked = edge(overview, 'gateway/gateway', 'service/movie-api')
    expect(asked).toMatchObject({ kind: 'http', errorRate: 0 })
    expect(asked?.p95Ms).toBeGreaterThan(0)
    await waitFor('the trace', async () => {
      const { items } = await system
        .get<{ items: readonly SpanView[] }>(`/api/traces/${trace}`)
        .catch(() => ({ items: [] }))
      const services = new Set(items.map(({ service }) => service))
      const names = items.map(({ name }) => name)
      return services.size === 2 && services.has('movie-api') && names.includes('SELECT films')
    })
  })

  it('has a sink that wakes when an event comes, and falls asleep again', async () => {
    const sink = 'sink/default/eventingaloha'
    await waitFor('sleep', async () => (await node(sink))?.state === 'asleep')
    const event = { 'ce-id': '1', 'ce-source': 'test', 'ce-type': 'greeting', 'ce-specversion': '1.0' }
    const post = async () => {
      const response = await fetch(`${system.url}/brokers/default/default`, { method: 'POST', headers: event })
      return response.status
    }
    await waitFor('the event to be taken', async () => (await post()) === 202)
    await waitFor(
      'an instance',
      async () => {
        await post()
        return ((await node(sink))?.instances ?? 0) > 0
      },
      { intervalMs: 200 },
    )
    // With an event for each look: rates are of ten seconds, in which nothing may be seen of a single one.
    const overview = await traffic(
      [
        ['gateway/gateway', 'service/event-platform'],
        ['service/event-platform', 'broker/default/default'],
        ['broker/default/default', 'trigger/default/aloha'],
        ['trigger/default/aloha', sink],
      ],
      async () => void (await post()),
    )
    // The request of an attempt is the attempt.
    expect(edge(overview, 'service/event-platform', sink)).toBeUndefined()
    expect(overview.nodes.map(({ id }) => id)).not.toContain('service/aloha-sink')
    await waitFor('sleep', async () => (await node(sink))?.state === 'asleep')
  })

  it('has a remote service that is gone as down, and the requests that fail', async () => {
    expect((await system.send('POST', '/api/services/film-standin/stop')).status).toBe(200)
    await waitFor('the stop', async () => (await node('remote/film-standin'))?.state === 'down')
    expect(await node('remote/film-standin')).toMatchObject({ reason: 'stopped' })
    await waitFor('failures', async () => {
      await get('/movie?year=1980')
      return (edge(await picture(), 'service/movie-api', 'remote/film-standin')?.errorRate ?? 0) > 0
    })
    expect((await system.send('POST', '/api/services/film-standin/start')).status).toBe(200)
    await waitFor('the start', async () => (await node('remote/film-standin'))?.state === 'up')
  })

  it('is live', async () => {
    const overviews = system.live('/api/overview') as AsyncGenerator<Overview>
    const first = (await overviews.next()).value as Overview
    expect(first.nodes.length).toBeGreaterThan(10)
    const second = (await overviews.next()).value as Overview
    expect(second).not.toEqual(first)
    await overviews.return(undefined)
  })

  it('decisions 3.116: is not made of what the console asks itself, which has no traces', async () => {
    await waitFor('metrics', async () => {
      const { items } = await system.get<{ items: readonly Series[] }>('/api/metrics?service=movie-api')
      return items.some(({ name }) => name === 'nodejs_heap_size_used_bytes')
    })
    const { items } = await system.get<{ items: readonly TraceSummary[] }>('/api/traces?limit=500')
    const ofPlatform = items.filter(({ service }) => service === 'event-platform')
    expect(ofPlatform).toEqual([])
    expect(
      (await picture()).edges.filter(({ to, from }) => from === 'outside/callers' && to !== 'gateway/gateway'),
    ).toEqual([])
    expect((await system.get<{ items: unknown[] }>('/api/logs?service=console&text=/q/metrics')).items).toEqual([])
  })
})
