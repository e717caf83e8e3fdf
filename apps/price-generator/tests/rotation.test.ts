import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKafka, openIncoming, openOutgoing } from '@taproom/messaging'
import { createAuthority, readHealth, startProcess, startSecuredKafka, waitFor, waitUntilReady } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'

const main = new URL('../src/main.ts', import.meta.url)
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const authority = createAuthority()

/** A Kafka with SASL, beers that are published without a pause, and what is priced of them. */
async function startBeers() {
  const resources = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'price-generator-'))
  resources.defer(() => rm(folder, { recursive: true }))
  const ca = join(folder, 'ca.crt')
  await writeFile(ca, authority.certificate)
  const broker = resources.use(await startSecuredKafka(authority, 'of-the-test'))
  const kafka = createKafka({
    clientId: 'test',
    bootstrapServers: broker.sasl,
    security: { tls: { ca: { file: ca } }, sasl: { mechanism: 'PLAIN', username: 'alice', password: 'of-the-test' } },
    log: quiet,
  })
  const priced: string[] = []
  const incoming = resources.use(
    openIncoming(kafka, {
      channel: 'priced-beer',
      from: 'earliest',
      onMessage: ({ value }) => void priced.push(JSON.parse(String(value)).name),
    }),
  )
  await incoming.assigned
  const beers = resources.use(openOutgoing(kafka, { channel: 'beers', topic: 'beer', timeoutMs: 90_000 }))
  const published: string[] = []
  const stop = new AbortController()
  const publishing = (async () => {
    while (!stop.signal.aborted) {
      const name = `Beer ${published.length}`
      published.push(name)
      await beers.send({ key: 'k', value: JSON.stringify({ name, tagline: 'T.', abv: 5 }) })
    }
  })()
  resources.defer(async () => {
    stop.abort()
    await publishing
  })
  return {
    broker,
    published,
    /** Publishes no further beers, and waits for the last price. */
    async lastPrice() {
      stop.abort()
      await publishing
      await waitFor('the last price', () => priced.includes(published.at(-1) ?? ''))
    },
    /** All prices that there are: what is written when nobody prices any more comes after them. */
    async allPriced() {
      await using writer = openOutgoing(kafka, { channel: 'marker', topic: 'priced-beer', timeoutMs: 90_000 })
      await writer.send({ key: 'k', value: JSON.stringify({ name: 'marker' }) })
      await waitFor('the marker', () => priced.includes('marker'))
      return priced.filter((name) => name !== 'marker')
    },
    start: (username: string, password: string) =>
      startProcess(main, {
        KAFKA_BOOTSTRAP_SERVERS: broker.sasl,
        KAFKA_SECURITY_PROTOCOL: 'SASL_SSL',
        KAFKA_SSL_CA_LOCATION: ca,
        KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
        KAFKA_SASL_USERNAME: username,
        KAFKA_SASL_PASSWORD: password,
      }),
    async somePrices() {
      const before = priced.length
      await waitFor('some prices', () => priced.length >= before + 50)
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

describe('deploy/cluster.md: price-generator, replaced while beers are published', () => {
  it('by one with a second user: every beer is priced, and none twice', async () => {
    await using beers = await startBeers()
    await beers.broker.setPassword('brewer-1', 'old')
    await using before = beers.start('brewer-1', 'old')
    await waitUntilReady(await before.url())
    await beers.somePrices()

    await beers.broker.setPassword('brewer-2', 'new')
    await using after = beers.start('brewer-2', 'new')
    await waitUntilReady(await after.url())
    await beers.somePrices()
    expect(await before.stop()).toBe(0)
    await beers.broker.setPassword('brewer-1', 'of nobody')
    await beers.somePrices()
    await beers.lastPrice()
    expect(await after.stop()).toBe(0)
    expect(await beers.allPriced()).toEqual(beers.published)
  })

  it('by one with another password of the same user, after Kafka refused the old one: the same, but beers wait', async () => {
    await using beers = await startBeers()
    await beers.broker.setPassword('brewer', 'old')
    await using before = beers.start('brewer', 'old')
    await waitUntilReady(await before.url())
    await beers.somePrices()

    await beers.broker.setPassword('brewer', 'new')
    const beforeUrl = await before.url()
    await waitFor('the end of its session', async () => (await readHealth(beforeUrl, 'ready')).status === 503)
    await using after = beers.start('brewer', 'new')
    await waitUntilReady(await after.url())
    expect(await before.stop()).toBe(0)
    await beers.lastPrice()
    expect(await after.stop()).toBe(0)
    expect(await beers.allPriced()).toEqual(beers.published)
  })
})
