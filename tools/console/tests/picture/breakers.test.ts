import { describe, expect, it } from 'vitest'
import type { BreakerView } from '../../src/api/breakers.ts'
import type { HealthView } from '../../src/api/services.ts'
import { createLogStore } from '../../src/logs/log-store.ts'
import { breakerRoutes } from '../../src/picture/breaker-routes.ts'
import { createBreakers } from '../../src/picture/breakers.ts'
import { GuardSpans } from '../../src/picture/guard-spans.ts'
import { createOverview } from '../../src/picture/overview.ts'
import { Traffic } from '../../src/picture/traffic.ts'
import { BEARER, openConsole } from '../fixtures/console.ts'
import { type GivenSpan, openTraces, START, sendSpans } from '../fixtures/spans.ts'

const CLIENT = 3
const GUARD = { service: 'shop', scope: '@taproom/resilience', name: 'film service', kind: 1 }
const FILMS = { 'server.address': '127.0.0.1', 'server.port': 4000 }
const change = (startMs: number, from: string, to: string) => ({
  ...{ name: 'circuit-breaker-state', startMs, attributes: { from, to } },
})
const fallback = (startMs: number) => ({ name: 'fallback', startMs })

/** A health report with a circuit breaker in this state. */
function healthOf(data: Readonly<Record<string, unknown>>): HealthView {
  const check = { name: 'Film service circuit breaker', status: 'UP' as const, data }
  return { services: [{ name: 'shop', reports: { well: { checks: [check] } } }] }
}

async function openBreakers(health: () => Promise<HealthView>) {
  const opened = new AsyncDisposableStack()
  const { store, url } = opened.use(await openTraces())
  const guards = opened.use(new GuardSpans(store))
  const breakers = createBreakers({ guards, health })
  const console = opened.use(await openConsole(breakerRoutes(breakers)))
  const overview = createOverview({
    traffic: opened.use(new Traffic(store)),
    system: async () => ({ url: 'http://127.0.0.1:1', apps: [] }),
    eventing: { read: () => Promise.reject(new Error('none')) },
    services: async () => [
      { name: 'shop', kind: 'app', state: 'ready', port: 4001, failing: [] },
      { name: 'films', kind: 'stand-in', state: 'ready', port: 4000, failing: [] },
    ],
    breakers,
    logs: createLogStore(),
  })
  return {
    guards,
    send: (...spans: readonly GivenSpan[]) => sendSpans({ url }, ...spans),
    async list(): Promise<readonly BreakerView[]> {
      const answer = await fetch(`${console.url}/api/breakers`, { headers: BEARER })
      return ((await answer.json()) as { readonly items: readonly BreakerView[] }).items
    },
    edges: async () => (await overview.read()).edges,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

describe('decisions 3.164: circuit breakers', () => {
  it('are on the edge of their calls, with the time until the next one and the answers by the fallback', async () => {
    await using seen = await openBreakers(async () => healthOf({ state: 'open', retryAfterMs: 3000 }))
    await seen.send(
      { trace: 1, span: 2, parent: 1, service: 'shop', kind: CLIENT, attributes: FILMS, isError: true },
      { trace: 1, span: 1, ...GUARD, events: [change(5, 'closed', 'open')] },
    )
    const now = Date.now()
    await seen.send({ trace: 2, span: 1, ...GUARD, events: [fallback(now - START), fallback(now - START)] })
    const [edge] = await seen.edges()
    expect(edge).toMatchObject({
      ...{ from: 'service/shop', to: 'remote/films', fallbackRate: 0.2 },
      breaker: { name: 'Film service', state: 'open', retryAt: expect.any(Number) },
    })
    expect(edge?.breaker?.retryAt).toBeGreaterThanOrEqual(now + 3000)
    expect(await seen.list()).toEqual([
      {
        ...{ service: 'shop', name: 'Film service', state: 'open', retryAt: edge?.breaker?.retryAt, fallbackRate: 0.2 },
        changes: [{ at: START + 5, from: 'closed', to: 'open' }],
      },
    ])
  })

  it('have their changes by time, however the spans come', async () => {
    await using seen = await openBreakers(async () => healthOf({ state: 'closed', retryAfterMs: 0 }))
    await seen.send({ trace: 2, span: 1, ...GUARD, events: [change(9000, 'open', 'half-open')] })
    await seen.send({ trace: 1, span: 1, ...GUARD, events: [change(5, 'closed', 'open')] })
    const [breaker] = await seen.list()
    expect(breaker?.changes.map(({ to }) => to)).toEqual(['open', 'half-open'])
    expect(breaker).not.toHaveProperty('retryAt')
  })

  it('have become half-open when the health report says so: no span does', async () => {
    await using seen = await openBreakers(async () => healthOf({ state: 'half-open', retryAfterMs: 0 }))
    await seen.send({ trace: 1, span: 1, ...GUARD, events: [change(5, 'closed', 'open')] })
    const [breaker] = await seen.list()
    expect(breaker?.changes).toEqual([
      { at: START + 5, from: 'closed', to: 'open' },
      { at: expect.any(Number), from: 'open', to: 'half-open' },
    ])
  })

  it('are left out where they are switched off, and while the health page does not answer', async () => {
    await using off = await openBreakers(async () => healthOf({ state: 'disabled' }))
    expect(await off.list()).toEqual([])
    await using away = await openBreakers(() => Promise.reject(new Error('away')))
    expect(await away.list()).toEqual([])
  })

  it('keep at most 50 changes', async () => {
    await using seen = await openBreakers(async () => healthOf({ state: 'closed', retryAfterMs: 0 }))
    const events = Array.from({ length: 60 }, (_, at) => change(at, 'closed', 'open'))
    await seen.send({ trace: 1, span: 1, ...GUARD, events })
    const [guard] = seen.guards.read(Date.now())
    expect(guard?.changes).toHaveLength(50)
    expect(guard?.changes.at(-1)?.at).toBe(START + 59)
  })
})

it.each([0, 3_600_000])(
  'answers by a fallback without a breaker are on the edge, also with a clock %d ms ahead',
  async (ahead) => {
    await using seen = await openBreakers(async () => ({ services: [] }))
    await seen.send(
      { trace: 1, span: 2, parent: 1, service: 'shop', kind: CLIENT, attributes: FILMS, isError: true },
      { trace: 1, span: 1, ...GUARD, events: [fallback(Date.now() + ahead - START)] },
    )
    const [edge] = await seen.edges()
    expect(edge).toMatchObject({ to: 'remote/films', fallbackRate: 0.1 })
    expect(edge).not.toHaveProperty('breaker')
    const [later] = seen.guards.read(Date.now() + 10_000)
    expect(later?.fallbackRate).toBe(0)
  },
)
