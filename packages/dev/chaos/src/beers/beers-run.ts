import { setTimeout as delay } from 'node:timers/promises'
import { readMetric } from '@taproom/testkit'
import type { Power } from '../harness/broker.ts'
import { killAtRandom } from '../harness/kill-loop.ts'
import type { Random } from '../harness/random.ts'
import type { Report } from '../harness/report.ts'
import type { Service } from '../harness/service.ts'
import { observeBeers } from './beer-observers.ts'
import { type BeerSystemOptions, startBeerSystem, TOPICS, waitUntilReady } from './beer-system.ts'

export interface BeersRunOptions extends BeerSystemOptions {
  readonly durationMs: number
  readonly random: Random
  /** The longest time between two kills; the shortest is a quarter of this. */
  readonly pauseMs: number
  readonly clients: number
  readonly signal: AbortSignal
}

/** The longest time that a victim stays away. */
const AWAY_MS = 1000

/** Kills the beer services and their broker at random under load; afterwards every beer must be priced and streamed exactly once. */
export async function runBeers(options: BeersRunOptions): Promise<Report> {
  await using system = await startBeerSystem(options)
  await using observers = observeBeers(system, options.clients)
  const { generator, pricing, stream, broker } = system
  const services = [generator, pricing, stream]
  generator.start()
  await observers.begun()

  const sent = countSent(generator)
  const victims: Power[] = [...services.filter((service) => service !== generator), sent.generator]
  if (broker.power !== undefined) victims.push(broker.power)
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
    }),
    delay(options.durationMs, undefined, { signal }).then(() => over.abort()),
  ])

  const readiness = await Promise.allSettled(services.map(waitUntilReady))
  const notReady = readiness.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
  await sent.generator.kill()
  const { beers, prices, findings } = await observers.conclude()
  const lost = beers < sent.total ? [`the log of ${TOPICS.beers} has ${beers} beers, ${sent.total} were confirmed`] : []
  const idle = beers === 0 ? ['no beer was made'] : []
  return {
    title: `beers: ${Math.round(options.durationMs / 1000)} s of kills on ${broker.name}, ${options.rate} beers a second wanted`,
    facts: {
      kills: Object.entries(kills)
        .map(([name, times]) => `${name} ${times}`)
        .join(', '),
      'beers in the log': `${beers} (${Math.round((beers * 1000) / options.durationMs)} a second)`,
      'priced beers': prices,
      'seen by the clients': observers.clients.map(({ seen }) => seen.length).join(', '),
      'streams they had': observers.clients.map(({ connections }) => connections).join(', '),
    },
    findings: [...victims.flatMap(({ failures }) => failures), ...notReady, ...idle, ...lost, ...findings],
  }
}

/** Sums, over all lives of the generator, what it counted as confirmed by Kafka just before each kill. */
function countSent(generator: Service) {
  let total = 0
  return {
    get total() {
      return total
    },
    generator: {
      name: generator.name,
      get isRunning() {
        return generator.isRunning
      },
      failures: generator.failures,
      async kill() {
        // Just started, it may not serve yet.
        total += (await readMetric(generator.url, 'beers_generated_total{result="sent"}').catch(() => 0)) ?? 0
        await generator.kill()
      },
      start: () => generator.start(),
    },
  }
}
