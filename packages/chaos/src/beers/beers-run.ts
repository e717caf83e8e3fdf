import { readMetric } from '@taproom/testkit'
import { observeBeers } from './beer-observers.ts'
import { type BeerSystemOptions, startBeerSystem, TOPICS, waitUntilReady } from './beer-system.ts'
import { killAtRandom } from './kill-loop.ts'
import type { Report } from './report.ts'
import type { Service } from './service.ts'

/** How {@link runBeers} goes about it. */
export interface BeersRunOptions extends BeerSystemOptions {
  readonly durationMs: number
  readonly random: () => number
  /** The longest time between two kills. */
  readonly pauseMs: number
  readonly clients: number
  readonly signal: AbortSignal
}

/** Kills the beer services and their broker at random under load; afterwards every beer must be priced and streamed exactly once. */
export async function runBeers(options: BeersRunOptions): Promise<Report> {
  await using system = await startBeerSystem(options)
  await using observers = observeBeers(system, options.clients)
  const { generator, pricing, stream, broker } = system
  const services = [generator, pricing, stream]
  generator.start()
  await observers.begun()

  const sent = countSent(generator)
  const victims = [...services.filter((service) => service !== generator), sent.generator]
  if (broker.power !== undefined) victims.push(broker.power)
  await killAtRandom({ ...options, victims })

  const readiness = await Promise.allSettled(services.map(waitUntilReady))
  const notReady = readiness.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
  await sent.generator.kill()
  const { beers, prices, findings } = await observers.conclude()
  const kills = victims.map(({ name, kills }) => `${name} ${kills}`).join(', ')
  const lost = beers < sent.total ? [`the log of ${TOPICS.beers} has ${beers} beers, ${sent.total} were confirmed`] : []
  const idle = beers === 0 ? ['no beer was made'] : []
  return {
    title: `beers: ${Math.round(options.durationMs / 1000)} s of kills on ${broker.name}, ${options.rate} beers a second wanted`,
    facts: {
      kills,
      'beers in the log': `${beers} (${Math.round((beers * 1000) / options.durationMs)} a second)`,
      'priced beers': prices,
      'seen by the clients': observers.clients.map(({ seen }) => seen.length).join(', '),
      'streams they had': observers.clients.map(({ connections }) => connections).join(', '),
    },
    findings: [...victims.flatMap(({ failures }) => failures), ...notReady, ...idle, ...lost, ...findings],
  }
}

/** Adds up, over all lives of the generator, what it counted as confirmed by Kafka just before each kill. */
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
      get kills() {
        return generator.kills
      },
      failures: generator.failures,
      async kill() {
        // It may have been started a moment ago, and not serve yet.
        total += (await readMetric(generator.url, 'beers_generated_total{result="sent"}').catch(() => 0)) ?? 0
        await generator.kill()
      },
      start: () => generator.start(),
    },
  }
}
