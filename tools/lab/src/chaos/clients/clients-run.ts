import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import {
  cpuSeconds,
  freePort,
  readMetric,
  residentBytes,
  type SseCrowd,
  startProcess,
  startSseCrowd,
  waitFor,
  waitUntilReady,
} from '@taproom/testkit'
import { APPS, fileAt, mainOf } from '../../harness/apps.ts'
import { startEmbeddedBroker } from '../../harness/broker.ts'
import { findLate } from '../../harness/waiting.ts'
import type { Report } from '../report.ts'
import { type BeerSource, openBeerSource } from './beer-source.ts'
import { mergeReports, quantile } from './crowd-figures.ts'

export interface ClientsRunOptions {
  readonly count: number
  readonly durationMs: number
  readonly rate: number
  readonly signal: AbortSignal
}

/** Numbers of reading and of stuck clients in the part about stuck ones. */
const BESIDE_STUCK = 100
const STUCK = 5
const BIG_BEER = 16 * 1024
/** Far more than 1 MiB and what the operating system buffers for a client that does not read. */
const BIG_BEERS = 4000
const KIB = 1024
/** How far readers may be behind while beers are written at full speed: half of what makes a client a stuck one. */
const BEHIND = 32

/** Connects a crowd to one stream and writes beers to it. Each client must get each beer, in order; stuck ones are dropped. */
export async function runClients(options: ClientsRunOptions): Promise<Report> {
  await using opened = new AsyncDisposableStack()
  const broker = opened.use(await startEmbeddedBroker())
  const stream = opened.use(
    startProcess(fileAt(mainOf(APPS.stream)), {
      KAFKA_BOOTSTRAP_SERVERS: broker.bootstrapServers,
      BEER_SERVICE_URL: `http://127.0.0.1:${await freePort()}`,
    }),
  )
  const url = await stream.url()
  await waitUntilReady(url)
  const source = opened.use(openBeerSource(broker.kafka))
  const crowds = Array.from({ length: Math.max(1, Math.min(2, availableParallelism())) }, () =>
    opened.use(startSseCrowd()),
  )
  const all = await streamToAll({ ...options, crowds, source, url, pid: stream.pid ?? 0 })
  await Promise.all(crowds.map((crowd) => crowd.leave()))
  const stuck = await dropStuck(crowds, source, url)
  return {
    title: `clients: ${options.count} on one ${APPS.stream} for ${options.durationMs / 1000} s, ${options.rate} beers a second`,
    facts: { ...all.facts, ...stuck.facts },
    findings: [...all.findings, ...stuck.findings],
  }
}

interface Stage extends ClientsRunOptions {
  readonly crowds: readonly SseCrowd[]
  readonly source: BeerSource
  readonly url: string
  readonly pid: number
}

type Outcome = Pick<Report, 'facts' | 'findings'>

async function streamToAll({ crowds, source, url, pid, count, durationMs, rate, signal }: Stage): Promise<Outcome> {
  const read = async () => mergeReports(await Promise.all(crowds.map((crowd) => crowd.report())))
  const memoryBefore = residentBytes(pid)
  const stop = source.writeEvery(1000 / rate)
  const share = Math.ceil(count / crowds.length)
  const shares = crowds.map((_, index) => Math.min(share, count - index * share))
  const beers = `${url}/beer`
  const openedAt = performance.now()
  await Promise.all(crowds.map((crowd, index) => crowd.open(beers, shares[index] ?? 0)))
  const openMs = performance.now() - openedAt
  // While clients still connect, late events do not count, but missing ones do.
  const early = await read()
  await Promise.all(crowds.map((crowd) => crowd.reset()))
  const [cpuBefore, startedAt] = [cpuSeconds(pid), performance.now()]
  await delay(durationMs, undefined, { signal })
  const cpuUsed = (cpuSeconds(pid) ?? Number.NaN) - (cpuBefore ?? Number.NaN)
  const cores = (cpuUsed * 1000) / (performance.now() - startedAt)
  const memory = residentBytes(pid) - memoryBefore
  await stop()
  const isComplete = async () => {
    const { lowestNext, reading } = await read()
    return reading === count && lowestNext === source.next
  }
  const findings = await findLate('every beer at every client', isComplete)
  const { events, outOfOrder, closed, reading, lagMs } = await read()
  if (reading !== count) findings.push(`${reading} of ${count} clients got a beer`)
  if (outOfOrder > 0) findings.push(`${outOfOrder} beers did not follow on the one before`)
  const troubled = closed + early.closed + early.outOfOrder
  if (troubled > 0) findings.push(`${troubled} connections ended, or gaps while connecting`)
  return {
    findings,
    facts: {
      'clients connected in': `${(openMs / 1000).toFixed(1)} s`,
      'events delivered': events,
      'resident memory per client': `${(memory / count / KIB).toFixed(1)} KiB`,
      [`cores used by ${APPS.stream}`]: cores.toFixed(2),
      'from written to read': `${quantile(lagMs, 0.5)} ms median, ${quantile(lagMs, 0.99)} ms for 99 %, ${quantile(lagMs, 1)} ms at most`,
    },
  }
}

async function dropStuck(crowds: readonly SseCrowd[], source: BeerSource, url: string): Promise<Outcome> {
  const [crowd] = crowds
  if (crowd === undefined) throw new RangeError('no crowd')
  const beers = `${url}/beer`
  const readDropped = async () => (await readMetric(url, 'beer_stream_dropped_total')) ?? 0
  const droppedBefore = await readDropped()
  await crowd.reset()
  // A stream without beers would fail, and end these clients.
  const keepUp = source.writeEvery(500)
  await crowd.open(beers, BESIDE_STUCK)
  await crowd.open(beers, STUCK, { stuck: true })
  await keepUp()
  let written = 0
  let dropped = 0
  const isBehind = (beers: number) => async () => {
    const { reading, lowestNext } = await crowd.report()
    return reading === BESIDE_STUCK && lowestNext >= source.next - beers
  }
  while (dropped < STUCK && written < BIG_BEERS) {
    await Promise.all(Array.from({ length: 8 }, () => source.write({ padding: BIG_BEER })))
    written += 8
    // At a higher rate than the others read, they would become stuck, too.
    await waitFor('the clients beside stuck ones to keep up', isBehind(BEHIND))
    dropped = (await readDropped()) - droppedBefore
  }
  const findings = await findLate('every beer at the clients beside stuck ones', isBehind(0))
  const { outOfOrder } = await crowd.report()
  if (outOfOrder > 0) findings.push(`${outOfOrder} beers did not follow on the one before, beside stuck clients`)
  if (dropped !== STUCK) findings.push(`${dropped} of ${STUCK} stuck clients were dropped`)
  return {
    findings,
    facts: {
      'stuck clients dropped': `${dropped} of ${STUCK}, after ${((written * BIG_BEER) / KIB / KIB).toFixed(1)} MiB`,
    },
  }
}
