import { setTimeout as delay } from 'node:timers/promises'
import { readMetric, waitUntilReady } from '@taproom/testkit'
import type { Power } from '../../harness/broker.ts'
import { killAtRandom } from '../../harness/kill-loop.ts'
import type { Random } from '../../harness/random.ts'
import { type Report, tally } from '../report.ts'
import { observeBeers } from './beer-observers.ts'
import { type BeerSystemOptions, startBeerSystem, TOPICS } from './beer-system.ts'

export interface BeersRunOptions extends BeerSystemOptions {
  readonly durationMs: number
  readonly random: Random
  /** The longest time between two kills; the shortest is a quarter of this. */
  readonly pauseMs: number
  readonly clients: number
  readonly signal: AbortSignal
}

const AWAY_MS = 1000

/** Kills the beer services and their broker at random under load; afterwards every beer must be priced and streamed exactly once. */
export async function runBeers(options: BeersRunOptions): Promise<Report> {
  await using system = await startBeerSystem(options)
  await using observers = observeBeers(system, options.clients)
  const { generator, pricing, stream, broker } = system
  const services = [generator, pricing, stream]
  generator.start()
  await observers.begun()

  // Beers that the generator counted as confirmed by Kafka, in all its processes: read before each ends. A new one may not serve yet.
  let sent = 0
  const countSent = async () => {
    sent += (await readMetric(generator.url, 'beers_generated_total{result="sent"}').catch(() => 0)) ?? 0
  }
  const victims: Power[] = [pricing, stream, generator, ...(broker.power === undefined ? [] : [broker.power])]
  const { pauseMs, random, signal } = options
  const over = new AbortController()
  const [kills] = await Promise.all([
    killAtRandom({
      victims,
      random,
      pauseMs: { min: pauseMs / 4, max: pauseMs },
      awayMs: AWAY_MS,
      over: over.signal,
      signal,
      onKill: (name) => (name === generator.name ? countSent() : undefined),
    }),
    delay(options.durationMs, undefined, { signal }).then(() => over.abort()),
  ])

  const readiness = await Promise.allSettled(services.map(({ url }) => waitUntilReady(url)))
  const notReady = readiness.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
  await countSent()
  await generator.kill()
  const { beers, prices, findings } = await observers.conclude()
  const lost = beers < sent ? [`the log of ${TOPICS.beers} has ${beers} beers, ${sent} were confirmed`] : []
  const idle = beers === 0 ? ['no beer was made'] : []
  return {
    title: `beers: ${Math.round(options.durationMs / 1000)} s of kills on ${broker.name}, ${options.rate} beers a second wanted`,
    facts: {
      kills: tally(kills),
      'beers in the log': `${beers} (${Math.round((beers * 1000) / options.durationMs)} a second)`,
      'priced beers': prices,
      'seen by the clients': observers.clients.map(({ seen }) => seen.length).join(', '),
      'streams they had': observers.clients.map(({ connections }) => connections).join(', '),
    },
    findings: [...victims.flatMap(({ failures }) => failures), ...notReady, ...idle, ...lost, ...findings],
  }
}
