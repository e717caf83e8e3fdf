import type { Contender } from '../area.ts'
import type { Load, LoadRequest } from '../load.ts'
import type { ServerProcess } from '../server-process.ts'
import { processSeconds } from './process-time.ts'

/** What one run of load measures, as rates. */
export interface LoadRates {
  /** Requests per second of the server's CPU time. */
  readonly byCpu: number
  /** Requests per second on the clock. */
  readonly byClock: number
  /** One over the seconds that 99 of 100 answers take at most. */
  readonly byP99: number
}

/** Load on a server, one run for all three figures of a round. */
export function loadFigures(
  name: string,
  {
    load,
    server,
    request,
  }: {
    readonly load: Load
    readonly server: ServerProcess
    readonly request: Omit<LoadRequest, 'url'> & { readonly path: string }
  },
): Readonly<Record<keyof LoadRates, Contender>> {
  return oncePerRound(name, ['byCpu', 'byClock', 'byP99'], () => measureLoad(name, load, server, request))
}

/** Runs load once. */
export async function measureLoad(
  name: string,
  load: Load,
  server: ServerProcess,
  request: Omit<LoadRequest, 'url'> & { readonly path: string },
): Promise<LoadRates> {
  const [startedAt, cpuBefore] = [performance.now(), processSeconds(server.pid)]
  const { answered, p99Ms } = await load.run(name, server, request)
  const seconds = (performance.now() - startedAt) / 1000
  return {
    byCpu: answered / (processSeconds(server.pid) - cpuBefore),
    byClock: answered / seconds,
    byP99: 1000 / p99Ms,
  }
}

/** A contender for each figure of what is run: a run gives each figure once, and the next that asks for it runs anew. */
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
