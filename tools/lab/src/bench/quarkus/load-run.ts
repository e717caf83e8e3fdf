import { setTimeout as sleep } from 'node:timers/promises'
import type { Contender } from '../../harness/contender.ts'
import type { Load } from '../../harness/http-load.ts'
import type { ServerProcess } from '../../harness/server-process.ts'
import type { Row } from '../area.ts'
import { processSeconds } from './process-time.ts'

/** The results of one run of load, as rates. */
export interface LoadRates {
  /** Requests per second of the server's CPU time. */
  readonly byCpu: number
  /** Requests per second on the clock. */
  readonly byClock: number
  /** One over the seconds that 99 of 100 answers take at most. */
  readonly byP99: number
}

type PathRequest = Parameters<Load['run']>[2]

/** A server under load. */
export interface Loaded {
  readonly load: Load
  readonly server: ServerProcess
  readonly request: PathRequest
}

/** Enough for a JVM on one core to have compiled all that it will. */
const WARM_UP_CPU_SECONDS = 25
const WARM_UP_RUN_SECONDS = 3

/** Sends requests until the server has used enough CPU time, however busy the machine is. */
export async function warmUp(load: Load, server: ServerProcess, request: Omit<PathRequest, 'seconds'>): Promise<void> {
  const end = processSeconds(server.pid) + WARM_UP_CPU_SECONDS
  while (processSeconds(server.pid) < end) {
    await load.run('warming up', server, { ...request, seconds: WARM_UP_RUN_SECONDS })
  }
}

/** Load on a server, one run for all three figures of a round. */
export function loadFigures(name: string, loaded: Loaded): Readonly<Record<keyof LoadRates, Contender>> {
  return oncePerRound(name, ['byCpu', 'byClock', 'byP99'], () => measureLoad(name, loaded))
}

type Figures = ReturnType<typeof loadFigures>

/** The rows of both sides' figures; `lead` is the budget of both rates. */
export function loadRows(what: string, our: Figures, their: Figures, lead: number): readonly Row[] {
  return [
    { what: `${what}, per CPU second`, ours: our.byCpu, peer: their.byCpu, atLeast: lead },
    { what: `${what}, per second`, ours: our.byClock, peer: their.byClock, atLeast: lead },
    { what: `${what}, 1 / p99`, ours: our.byP99, peer: their.byP99, atLeast: 1 },
  ]
}

const MAX_RUNS = 6
/** After which the circuit breaker of films lets calls through again, and some more. */
const RECOVERY_MS = 7000

/** Runs load until all of it was answered well: on a busy machine remote calls may take too long, and the fallback answers. */
export async function measureLoad(name: string, loaded: Loaded): Promise<LoadRates> {
  for (let runs = 1; ; runs += 1) {
    try {
      return await measureOnce(name, loaded)
    } catch (error) {
      if (runs === MAX_RUNS) throw error
      await sleep(RECOVERY_MS)
    }
  }
}

async function measureOnce(name: string, { load, server, request }: Loaded): Promise<LoadRates> {
  const [startedAt, cpuBefore] = [performance.now(), processSeconds(server.pid)]
  const { answered, p99Ms } = await load.run(name, server, request)
  const seconds = (performance.now() - startedAt) / 1000
  return {
    byCpu: answered / (processSeconds(server.pid) - cpuBefore),
    byClock: answered / seconds,
    byP99: 1000 / p99Ms,
  }
}

/** A contender for each figure of what is run: a run gives each figure once, and the next that asks for it runs again. */
export function oncePerRound<F extends string>(
  name: string,
  figures: readonly F[],
  run: () => Promise<Readonly<Record<F, number>>>,
): Readonly<Record<F, Contender>> {
  let measured = new Map<F, number>()
  const measure = async (figure: F): Promise<number> => {
    if (!measured.has(figure)) {
      const results = await run()
      measured = new Map(figures.map((each) => [each, results[each]]))
    }
    const value = measured.get(figure) ?? Number.NaN
    measured.delete(figure)
    return value
  }
  const contenders = figures.map((figure) => [figure, { name, measure: () => measure(figure) }])
  return Object.fromEntries(contenders) as Record<F, Contender>
}
