import { createTopicAdmin, type KafkaClient } from '@taproom/messaging'
import { waitFor } from '@taproom/testkit'
import { findLate, untilQuiet } from '../../harness/waiting.ts'
import { openTopicLog, type TopicLog } from '../topic-log.ts'
import { type BeerSystem, TOPICS } from './beer-system.ts'
import { comparePrices, compareSeen, type Findings, hasSeenLast } from './findings.ts'
import { openStreamClient, type StreamClient } from './stream-client.ts'

/** How long it may take, after the last kill, until everything that was accepted has been priced and streamed. */
const SETTLE_LIMIT_MS = 60_000
/** Duplicates, if any, come within this time. */
const LINGER_MS = 2000

/** Clients of the stream that are connected from the first beer on. */
export interface BeerObservers extends AsyncDisposable {
  readonly clients: readonly StreamClient[]
  /** Waits until every client has seen the first beer. */
  begun(): Promise<void>
  /** Call after the last beer: waits until every beer has arrived everywhere, and compares. */
  conclude(): Promise<{ readonly beers: number; readonly prices: number; readonly findings: Findings }>
}

export function observeBeers(system: BeerSystem, count: number): BeerObservers {
  const clients = Array.from({ length: count }, () => openStreamClient(system.stream.url))

  return {
    clients,
    begun: async () => {
      await waitFor('every client to see a beer', () => clients.every(({ seen }) => seen.length > 0), {
        timeoutMs: SETTLE_LIMIT_MS,
      })
    },
    async conclude() {
      await using beers = await openTopicLog(system.broker.kafka, TOPICS.beers)
      await using prices = await openTopicLog(system.broker.kafka, TOPICS.pricedBeers)
      await waitUntilRead(system.broker.kafka, beers)
      const lists = [beers.records, prices.records, ...clients.map(({ seen }) => seen)]
      const isComplete = () =>
        prices.records.length >= beers.records.length && clients.every(({ seen }) => hasSeenLast(prices.records, seen))
      const wait = { timeoutMs: SETTLE_LIMIT_MS, intervalMs: 200 }
      const findings = await findLate('every beer everywhere', isComplete, wait)
      await untilQuiet('beers, prices and streams', () => lists.reduce((sum, list) => sum + list.length, 0), {
        ...{ quietMs: LINGER_MS, timeoutMs: SETTLE_LIMIT_MS },
      })
      findings.push(...comparePrices(beers.records, prices.records))
      for (const [index, { seen }] of clients.entries()) {
        for (const finding of compareSeen(prices.records, seen)) findings.push(`stream client ${index + 1}: ${finding}`)
      }
      return { beers: beers.records.length, prices: prices.records.length, findings }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()))
    },
  }
}

/** Waits until the log of beers is read to its end. */
async function waitUntilRead(kafka: KafkaClient, beers: TopicLog): Promise<void> {
  await using topics = createTopicAdmin(kafka)
  // Every record of this topic is a beer: it has no transaction markers.
  const count = async () => (await topics.endOffsets(TOPICS.beers)).reduce((sum, end) => sum + Number(end), 0)
  const isRead = async () => (await count()) === beers.records.length
  await waitFor('the log of beers to be read', isRead, { timeoutMs: SETTLE_LIMIT_MS, intervalMs: 200 })
}
