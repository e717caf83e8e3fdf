import { APPS } from '../../harness/apps.ts'
import type { Area, Row } from '../area.ts'
import type { ServerProcess } from '../server-process.ts'
import { type LoadRates, measureLoad, oncePerRound } from './load-run.ts'
import { openMovies, requestFilms } from './movies.ts'

const MINUTES = 10
const CONNECTIONS = 256
const LEAD = 1.5
/** What may be noise of a minute. */
const NO_DECLINE = 0.95

/** Six films for each of 256 clients at once for ten minutes: beside Quarkus as long, and the last minute beside the first. */
export async function openQuarkusMovieLongArea(opened: AsyncDisposableStack): Promise<Area> {
  const { load, ours, theirs } = await openMovies(opened)
  const minutesOf = async (name: string, server: ServerProcess) => {
    const request = { ...(await requestFilms(server, 6, CONNECTIONS)), seconds: 60 }
    let minutes = 1
    return oncePerRound(name, ['byCpu', 'byClock', 'byP99', 'first', 'last'], async () => {
      const measured: LoadRates[] = []
      for (let minute = 0; minute < minutes; minute += 1)
        measured.push(await measureLoad(name, { load, server, request }))
      // The first of all is the round that does not count.
      minutes = MINUTES
      const mean = (figure: keyof LoadRates) =>
        measured.length / measured.reduce((sum, each) => sum + 1 / each[figure], 0)
      const [first = Number.NaN, last = Number.NaN] = [measured[0]?.byCpu, measured.at(-1)?.byCpu]
      return { byCpu: mean('byCpu'), byClock: mean('byClock'), byP99: mean('byP99'), first, last }
    })
  }
  const our = await minutesOf(APPS.films, ours)
  const their = await minutesOf('Quarkus', theirs)
  const first = { name: 'its first minute', measure: our.first.measure }
  const rows: readonly Row[] = [
    { what: 'ten minutes, per CPU second', ours: our.byCpu, peer: their.byCpu, atLeast: LEAD },
    { what: 'ten minutes, per second', ours: our.byClock, peer: their.byClock, atLeast: LEAD },
    { what: 'ten minutes, 1 / p99', ours: our.byP99, peer: their.byP99, atLeast: 1 },
    { what: 'the last minute, per CPU second', ours: our.last, peer: first, atLeast: NO_DECLINE },
  ]
  return { unit: 'requests, 6 films, 256 at once', rounds: 1, rows }
}
