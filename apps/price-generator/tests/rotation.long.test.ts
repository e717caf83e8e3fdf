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
    /** Publishes no further beers, ends the service after the last price, and gives all prices that there are. */
    async pricedUntilTheEndOf(service: { stop(): Promise<unknown> }) {
      stop.abort()
      await publishing
      await waitFor('the last price', () => priced.includes(published.at(-1) ?? ''))
      expect(await service.stop()).toBe(0)
      // What is written when nobody prices any more comes after them.
      await using writer = openOutgoing(kafka, { channel: 'marker', topic: 'priced-beer', timeoutMs: 90_000 })
      await writer.send({ key: 'k', value: JSON.stringify({ name: 'marker' }) })
      await waitFor('the marker', () => priced.includes('marker'))
      return priced.filter((name) => name !== 'marker')
    },
    /** A price-generator with these credentials, when it is ready. */
    async begin(username: string, password: string) {
      const service = resources.use(
        startProcess(main, {
          KAFKA_BOOTSTRAP_SERVERS: broker.sasl,
          KAFKA_SECURITY_PROTOCOL: 'SASL_SSL',
          KAFKA_SSL_CA_LOCATION: ca,
          KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
          KAFKA_SASL_USERNAME: username,
          KAFKA_SASL_PASSWORD: password,
        }),
      )
      const url = await service.url()
      await waitUntilReady(url)
      return { url, stop: () => service.stop() }
    },
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
    const before = await beers.begin('brewer-1', 'old')
    await beers.somePrices()

    await beers.broker.setPassword('brewer-2', 'new')
    const after = await beers.begin('brewer-2', 'new')
    await beers.somePrices()
    expect(await before.stop()).toBe(0)
    await beers.broker.setPassword('brewer-1', 'of nobody')
    await beers.somePrices()
    expect(await beers.pricedUntilTheEndOf(after)).toEqual(beers.published)
  })

  it('by one with another password of the same user, after Kafka refused the old one: the same, but beers wait', async () => {
    await using beers = await startBeers()
    await beers.broker.setPassword('brewer', 'old')
    const before = await beers.begin('brewer', 'old')
    await beers.somePrices()

    await beers.broker.setPassword('brewer', 'new')
    await waitFor('the end of its session', async () => (await readHealth(before.url, 'ready')).status === 503)
    const after = await beers.begin('brewer', 'new')
    expect(await before.stop()).toBe(0)
    expect(await beers.pricedUntilTheEndOf(after)).toEqual(beers.published)
  })
})
