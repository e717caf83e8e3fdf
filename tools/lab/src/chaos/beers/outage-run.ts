import { setTimeout as delay } from 'node:timers/promises'
import { readMetric, waitFor, waitUntilReady } from '@taproom/testkit'
import type { Report } from '../report.ts'
import { observeBeers } from './beer-observers.ts'
import { type BeerSystemOptions, startBeerSystem } from './beer-system.ts'
import { type HealthWatch, watchHealth } from './health-watch.ts'
import type { StreamClient } from './stream-client.ts'

export interface OutageRunOptions extends BeerSystemOptions {
  readonly outageMs: number
  readonly clients: number
  readonly signal: AbortSignal
}

/** How soon readiness must be DOWN, and how soon new prices must be streamed after Kafka is started again. */
const LIMITS = { noticeMs: 10_000, resumeMs: 15_000 }
/** In a shorter outage the times are not checked: such a run, maybe on a busy machine, only shows that everything happens. */
const TELLING_OUTAGE_MS = 20_000
const PATIENT_LIMITS = { noticeMs: 60_000, resumeMs: 60_000 }
/** Work before and after the outage. */
const WORK_MS = 1000

/** Takes Kafka away and brings it back; the beer services must report it, survive it and go on by themselves. */
export async function runOutage(options: OutageRunOptions): Promise<Report> {
  const { outageMs, signal } = options
  const { noticeMs, resumeMs } = outageMs < TELLING_OUTAGE_MS ? PATIENT_LIMITS : LIMITS
  await using system = await startBeerSystem(options)
  const { broker, generator, pricing, stream } = system
  const { power } = broker
  if (power === undefined) throw new Error('no outage without commands that take this Kafka away and bring it back')
  const services = [generator, pricing, stream]
  await using observers = observeBeers(system, options.clients)
  generator.start()
  await observers.begun()
  await Promise.all(services.map(({ url }) => waitUntilReady(url)))
  await delay(WORK_MS, undefined, { signal })
  const droppedBefore = await readDropped(generator.url)

  await power.kill()
  const watch = { durationMs: outageMs, noticeMs, signal }
  const watches = await Promise.all(services.map((service) => watchHealth(service, watch)))
  const readDroppedNow = async () => (await readDropped(generator.url)) - droppedBefore
  await waitFor('a beer to be dropped', async () => (await readDroppedNow()) > 0).catch(() => undefined)
  const dropped = await readDroppedNow()

  const backAt = performance.now()
  await power.start()
  const findings = watches.flatMap((watch) => judgeWatch(watch, noticeMs))
  const streaming = await timeOf('new prices at every client', backAt, resumeMs, grown(observers.clients))
  const ready = await timeOf('every service to be ready', backAt, resumeMs, async () => {
    await Promise.all(services.map(({ url }) => waitUntilReady(url)))
    return true
  })
  for (const { late } of [streaming, ready]) if (late !== undefined) findings.push(late)
  await delay(WORK_MS, undefined, { signal })
  await generator.stop()
  if (dropped === 0) findings.push(`${generator.name} dropped no beer, or did not count it`)
  for (const { name, starts, failures } of services) {
    if (starts !== 1) findings.push(`${name} was started ${starts} times`)
    findings.push(...failures)
  }
  const { beers, prices, findings: losses } = await observers.conclude()
  return {
    title: `outage: ${broker.name} away for ${outageMs / 1000} s, ${options.rate} beers a second wanted`,
    facts: {
      'not ready after': watches.map(({ name, downAfterMs }) => `${name} ${seconds(downAfterMs)}`).join(', '),
      'beers dropped': dropped,
      'streaming again after': seconds(streaming.ms),
      'all ready again after': seconds(ready.ms),
      'beers in the log': beers,
      'priced beers': prices,
      'seen by the clients': observers.clients.map(({ seen }) => seen.length).join(', '),
      'stream-error events': observers.clients.map(({ streamErrors }) => streamErrors).join(', '),
    },
    findings: [...findings, ...losses],
  }
}

async function readDropped(url: string): Promise<number> {
  return (await readMetric(url, 'beers_generated_total{result="dropped"}')) ?? 0
}

function grown(clients: readonly StreamClient[]): () => boolean {
  const before = clients.map(({ seen }) => seen.length)
  return () => clients.every(({ seen }, index) => seen.length > (before[index] ?? 0))
}

function judgeWatch({ name, downAfterMs, cameBackUp, notAlive }: HealthWatch, noticeMs: number): string[] {
  const findings: string[] = []
  if (downAfterMs === undefined || downAfterMs > noticeMs) {
    findings.push(`readiness of ${name} was not DOWN within ${seconds(noticeMs)}, but after ${seconds(downAfterMs)}`)
  }
  if (cameBackUp) findings.push(`readiness of ${name} was UP while Kafka was away`)
  if (notAlive > 0) findings.push(`liveness of ${name} was ${notAlive} times not UP`)
  return findings
}

async function timeOf(what: string, since: number, limitMs: number, isSo: () => boolean | Promise<boolean>) {
  try {
    await waitFor(what, isSo, { timeoutMs: limitMs })
    return { ms: performance.now() - since, late: undefined }
  } catch {
    return { ms: undefined, late: `not within ${seconds(limitMs)} of Kafka's return: ${what}` }
  }
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? 'never' : `${(ms / 1000).toFixed(1)} s`
}
