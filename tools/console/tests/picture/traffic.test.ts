import { describe, expect, it } from 'vitest'
import type { EdgeRate } from '../../src/picture/edge-rates.ts'
import { Traffic } from '../../src/picture/traffic.ts'
import type { TraceStoreOptions } from '../../src/traces/trace-store.ts'
import { type GivenSpan, openTraces, sendSpans } from '../fixtures/spans.ts'

const [INTERNAL, SERVER, CLIENT, PRODUCER, CONSUMER] = [1, 2, 3, 4, 5]

/** The traffic of these spans; the test sets the clock. */
async function openTraffic(options?: TraceStoreOptions) {
  const clock = { ms: 1_000_000 }
  const console = await openTraces(options)
  const traffic = new Traffic(console.store, () => clock.ms)
  return {
    clock,
    traffic,
    send: (...spans: readonly GivenSpan[]) => sendSpans(console, ...spans),
    edges: () =>
      traffic.read().map(({ kind, from, to, count, failed }) => `${kind} ${from} > ${to} ${count}/${failed}`),
    edge: (to: string): EdgeRate | undefined => traffic.read().find((edge) => edge.to === to),
    async [Symbol.asyncDispose]() {
      traffic[Symbol.dispose]()
      await console[Symbol.asyncDispose]()
    },
  }
}

const ADDRESS = { 'server.address': '127.0.0.1', 'server.port': 4000 }
const KAFKA = { 'messaging.system': 'kafka', 'messaging.operation.type': 'process' }
const topic = (name: string) => ({ ...KAFKA, 'messaging.destination.name': name })

describe('what goes on, as spans tell', () => {
  it('is one request for a client and the server that continues its trace, and tells who listens there', async () => {
    await using seen = await openTraffic()
    await seen.send(
      { trace: 1, span: 1, service: 'a', kind: CLIENT, attributes: ADDRESS, durationMs: 7 },
      { trace: 1, span: 2, parent: 1, service: 'b', kind: SERVER },
    )
    expect(seen.edges()).toEqual(['http service/a > address/127.0.0.1:4000 1/0'])
    expect(seen.edge('address/127.0.0.1:4000')?.durations).toEqual([7])
    expect(seen.traffic.listenerAt('127.0.0.1:4000')).toBe('b')
  })

  it('comes from outside where nobody’s trace is continued', async () => {
    await using seen = await openTraffic()
    await seen.send({ trace: 1, span: 1, service: 'a', kind: SERVER, isError: true })
    expect(seen.edges()).toEqual(['http outside/callers > service/a 1/1'])
  })

  it('waits some seconds for the span that caused it, which comes later, or never', async () => {
    await using seen = await openTraffic()
    await seen.send({ trace: 1, span: 2, parent: 1, service: 'b', kind: SERVER })
    await seen.send({ trace: 2, span: 2, parent: 1, service: 'c', kind: SERVER })
    expect(seen.edges()).toEqual([])
    seen.clock.ms += 2000
    await seen.send({ trace: 1, span: 1, service: 'a', kind: INTERNAL })
    seen.clock.ms += 1000
    expect(seen.edges()).toEqual(['http service/a > service/b 1/0'])
    seen.clock.ms += 3000
    expect(seen.edges()).toEqual(['http service/a > service/b 1/0', 'http outside/callers > service/c 1/0'])
  })

  it('cuts long names, and no character', async () => {
    await using seen = await openTraffic()
    await seen.send({ trace: 1, span: 1, service: 'a', kind: PRODUCER, attributes: topic(`${'x'.repeat(199)}🍺`) })
    expect(seen.traffic.read().map(({ to }) => to)).toEqual([`topic/${'x'.repeat(199)}\ufffd`])
  })

  it('holds no spans that wait beside the traces that are kept', async () => {
    await using seen = await openTraffic({ maxSpans: 20 })
    await seen.send({ trace: 1, span: 2, parent: 1, service: 'gone', kind: SERVER })
    for (let trace = 2; trace <= 21; trace += 1)
      await seen.send({ trace, span: 2, parent: 1, service: 'b', kind: SERVER })
    seen.clock.ms += 6000
    expect(seen.edges()).toEqual(['http outside/callers > service/b 20/0'])
  })

  it('has failures, but a request that was wrong is none of who answers it', async () => {
    await using seen = await openTraffic()
    const called = { trace: 1, service: 'a', kind: CLIENT, isError: true }
    await seen.send(
      { ...called, span: 1, attributes: { ...ADDRESS, 'http.response.status_code': 404 } },
      { ...called, span: 2, attributes: { ...ADDRESS, 'http.response.status_code': 503 } },
      { ...called, span: 3, attributes: { ...ADDRESS, 'error.type': 'ECONNREFUSED' } },
      { trace: 2, span: 4, service: 'b', kind: SERVER, isError: true, attributes: { 'error.type': 'client_left' } },
    )
    expect(seen.edges()).toEqual([
      'http service/a > address/127.0.0.1:4000 3/2',
      'http outside/callers > service/b 1/0',
    ])
  })

  it('goes over topics and to databases, a batch and its messages counted once', async () => {
    await using seen = await openTraffic()
    await seen.send(
      { trace: 1, span: 1, service: 'a', kind: PRODUCER, attributes: topic('beer') },
      {
        trace: 1,
        span: 2,
        parent: 1,
        service: 'b',
        kind: CONSUMER,
        attributes: { ...topic('beer'), 'messaging.consumer.group.name': 'g' },
      },
      {
        trace: 2,
        span: 1,
        service: 'b',
        kind: CONSUMER,
        attributes: { ...topic('beer'), 'messaging.operation.type': 'receive' },
      },
      { trace: 1, span: 3, parent: 2, service: 'c', kind: CONSUMER, attributes: topic('priced') },
      { trace: 1, span: 4, parent: 3, service: 'c', kind: CLIENT, attributes: { 'db.system.name': 'sqlite' } },
    )
    expect(seen.edges()).toEqual([
      'produce service/a > topic/beer 1/0',
      'consume topic/beer > service/b 1/0',
      'consume topic/priced > service/c 1/0',
      // b writes in transactions, which have no span for each record.
      'produce service/b > topic/priced 1/0',
      'query service/c > database/sqlite/c 1/0',
    ])
    expect(seen.edge('service/b')?.groups).toEqual(['g'])
  })

  it('goes from a broker over the triggers that matched to where their attempts went', async () => {
    await using seen = await openTraffic()
    const process = (trigger: string, result: string) => ({
      kind: CONSUMER,
      service: 'platform',
      attributes: { ...topic('knative-broker.default.shop'), trigger, 'filter.result': result },
    })
    await seen.send(
      { trace: 1, span: 1, ...process('default/yes', 'matched') },
      { trace: 1, span: 2, ...process('default/no', 'not-matched') },
      {
        trace: 1,
        span: 3,
        parent: 1,
        name: 'deliver',
        service: 'platform',
        kind: INTERNAL,
        isError: true,
        attributes: { 'delivery.destination': 'http://greeter.default.svc.cluster.local/' },
      },
      { trace: 1, span: 4, parent: 3, service: 'platform', kind: CLIENT, attributes: ADDRESS },
      { trace: 1, span: 5, parent: 4, service: 'greeter', kind: SERVER },
    )
    expect(seen.edges()).toEqual([
      'event broker/default/shop > trigger/default/yes 1/0',
      'event trigger/default/yes > address/greeter.default.svc.cluster.local:80 1/1',
    ])
  })

  it('counts ten seconds, and stays in the picture for ten minutes', async () => {
    await using seen = await openTraffic()
    const ask = (span: number) => seen.send({ trace: span, span, service: 'a', kind: SERVER })
    await ask(1)
    seen.clock.ms += 5000
    await ask(2)
    expect(seen.edges()).toEqual(['http outside/callers > service/a 2/0'])
    seen.clock.ms += 5000
    expect(seen.edges()).toEqual(['http outside/callers > service/a 1/0'])
    seen.clock.ms += 595_000
    expect(seen.edges()).toEqual(['http outside/callers > service/a 0/0'])
    seen.clock.ms += 1000
    expect(seen.edges()).toEqual([])
  })

  it('of a thousand topics and hosts has some, and all others as one', async () => {
    await using seen = await openTraffic()
    const all = Array.from({ length: 1000 }, (_, index) => index + 1)
    await seen.send(
      ...all.map((span) => ({ trace: 1, span, service: 'a', kind: PRODUCER, attributes: topic(`topic-${span}`) })),
      ...all.map((span) => ({
        trace: 2,
        span,
        service: 'a',
        kind: CLIENT,
        attributes: { 'server.address': `host-${span}.example` },
      })),
    )
    const edges = seen.traffic.read()
    expect(edges.length).toBeLessThanOrEqual(122)
    expect(seen.edge('topic/others')?.count).toBe(940)
    expect(seen.edge('address/others')?.count).toBe(940)
    expect(edges.reduce((sum, { count }) => sum + count, 0)).toBe(2000)
  })
})
