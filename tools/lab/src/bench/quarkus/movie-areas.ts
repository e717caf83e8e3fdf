import { join } from 'node:path'
import { APPS } from '../../harness/apps.ts'
import { type Load, startLoad } from '../../harness/http-load.ts'
import type { ServerProcess } from '../../harness/server-process.ts'
import { temporaryFolder } from '../../harness/temporary-folder.ts'
import type { Area, Row } from '../area.ts'
import { startMovies, startRemote } from '../films/movies.ts'
import { type LoadRates, loadFigures, loadRows, measureLoad, oncePerRound, warmUp } from './load-run.ts'
import { makeQuarkus } from './made-quarkus.ts'
import { startQuarkus } from './quarkus-process.ts'
import { expectSameAnswers } from './same-answers.ts'

/** Answers with that many films. */
const PATHS = { 1: '/movie?year=1980', 6: '/movie' } as const
const KINDS: readonly { readonly films: Films; readonly connections: number }[] = [
  { films: 1, connections: 64 },
  { films: 1, connections: 256 },
  { films: 6, connections: 64 },
  { films: 6, connections: 256 },
]
const SECONDS = 2
const LEAD = 1.5
const LONG = { minutes: 10, connections: 256 }
/** A decline that may be noise of a minute. */
const NO_DECLINE = 0.95

type Films = keyof typeof PATHS

interface Movies {
  readonly load: Load
  readonly ours: ServerProcess
  readonly theirs: ServerProcess
}

/** Load for which every answer must have its films whole: one that a busy machine makes the fallback give costs less. */
async function requestFilms({ url }: ServerProcess, films: Films, connections: number) {
  const path = PATHS[films]
  return { path, connections, expected: await (await fetch(url + path)).text() }
}

/** Ours and its peer with the same remote film service, each asked for one film and for six until it is warm. */
async function openMovies(opened: AsyncDisposableStack): Promise<Movies> {
  const made = await makeQuarkus()
  const folder = await temporaryFolder(opened, 'bench-movies')
  const remote = opened.use(await startRemote())
  const ours = opened.use(await startMovies(join(folder, 'films.sqlite'), remote.url))
  const theirs = opened.use(await startQuarkus(made, 'movie', { QUARKUS_REST_CLIENT_FILM_SERVICE_URL: remote.url }))
  const paths = Object.values(PATHS)
  await expectSameAnswers(
    ours.url,
    theirs.url,
    [...paths, '/movie?year=1900'].map((path) => ({ path })),
  )
  const load = opened.use(startLoad())
  for (const server of [ours, theirs]) {
    for (const path of paths) await warmUp(load, server, { path })
  }
  return { load, ours, theirs }
}

/** `/movie` of ours beside Quarkus with the same policies, both warm, with one film and with six. */
export async function openQuarkusMovieArea(opened: AsyncDisposableStack): Promise<Area> {
  const { load, ours, theirs } = await openMovies(opened)
  const rows = KINDS.map(async ({ films, connections }) => {
    const figures = async (name: string, server: ServerProcess) => {
      const request = { ...(await requestFilms(server, films, connections)), seconds: SECONDS }
      return loadFigures(name, { load, server, request })
    }
    const [our, their] = [await figures(APPS.films, ours), await figures('Quarkus', theirs)]
    return loadRows(`${films} ${films === 1 ? 'film' : 'films'}, ${connections} at once`, our, their, LEAD)
  })
  return { unit: 'requests', rows: (await Promise.all(rows)).flat() }
}

/** Six films for each of 256 clients at once for ten minutes: beside Quarkus as long, and the last minute beside the first. */
export async function openQuarkusMovieLongArea(opened: AsyncDisposableStack): Promise<Area> {
  const { load, ours, theirs } = await openMovies(opened)
  const minutesOf = async (name: string, server: ServerProcess) => {
    const request = { ...(await requestFilms(server, 6, LONG.connections)), seconds: 60 }
    let minutes = 1
    return oncePerRound(name, ['byCpu', 'byClock', 'byP99', 'first', 'last'], async () => {
      const measured: LoadRates[] = []
      for (let minute = 0; minute < minutes; minute += 1)
        measured.push(await measureLoad(name, { load, server, request }))
      // The first of all is the round that does not count.
      minutes = LONG.minutes
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
    ...loadRows('ten minutes', our, their, LEAD),
    { what: 'the last minute, per CPU second', ours: our.last, peer: first, atLeast: NO_DECLINE },
  ]
  return { unit: 'requests, 6 films, 256 at once', rounds: 1, rows }
}
