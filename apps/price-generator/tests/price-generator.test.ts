import { readHealth, readMetric, startKafka, startProcess, type TestProcess, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beer, main, names, openBothEnds } from './both-ends.ts'

describe('the price-generator process', () => {
  const resources = new AsyncDisposableStack()
  let ends: Awaited<ReturnType<typeof openBothEnds>>
  let generator: TestProcess

  /** The beers that were written before it started are part of the tests. */
  beforeAll(async () => {
    const kafka = resources.use(await startKafka())
    ends = resources.use(await openBothEnds(kafka.bootstrapServers))
    await ends.publish(...names(0, 5).map(beer))
    const env = { KAFKA_BOOTSTRAP_SERVERS: kafka.bootstrapServers, PRICE_MIN: '2', PRICE_MAX: '3.50' }
    generator = resources.use(startProcess(main, env))
    await waitFor('the beers written before', () => ends.priced.length >= 5)
  })
  afterAll(() => resources.disposeAsync())

  it('contract 6.2: prices every beer of the topic once, from its beginning, with two fraction digits', async () => {
    await ends.publish(...names(5, 10).map(beer))
    await waitFor('the beers written after', () => ends.priced.length >= 10)
    expect(ends.names()).toEqual(names(0, 10))
    for (const { key, value } of ends.priced) {
      expect(String(key)).toBe('k')
      const [, price] = /^\{"name":"Beer \d","price":(\d\.\d\d)\}$/.exec(String(value)) ?? []
      expect(Number(price)).toBeGreaterThanOrEqual(2)
      expect(Number(price)).toBeLessThanOrEqual(3.5)
    }
    expect((await readHealth(await generator.url(), 'ready')).status).toBe(200)
  })

  it('decisions 1.44: skips and counts malformed beers, and those that cannot be decoded', async () => {
    const { length } = ends.priced
    await ends.publish(beer('before'), 'no JSON', '{"abv":5}', '[]', beer('after'))
    await waitFor('both beers', () => ends.priced.length >= length + 2)
    expect(ends.names().slice(length)).toEqual(['before', 'after'])
    const url = await generator.url()
    await waitFor('the counts', async () => (await readMetric(url, 'beers_read_total{result="skipped"}')) === 3)
    expect(await readMetric(url, 'beers_read_total{result="priced"}')).toBe(length + 2)
    expect(await readHealth(url, 'well')).toMatchObject({
      status: 200,
      checks: { 'Malformed beers': { data: { malformed: 3 } } },
    })
    await ends.publishUndecodable()
    await ends.publish(beer('last'))
    await waitFor('the last beer', () => ends.names().includes('last'))
    expect(await readMetric(url, 'beers_read_total{result="unreadable"}')).toBe(1)
    expect(await readHealth(url, 'live')).toMatchObject({
      status: 200,
      checks: { 'Kafka transform channel priced-beer': { data: { unreadable: 1 } } },
    })
    // It ends with 1 when its grace is over.
    expect(await generator.stop()).toBe(0)
  })
})
