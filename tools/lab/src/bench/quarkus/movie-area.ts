import { APPS } from '../../harness/apps.ts'
import type { Area, Row } from '../area.ts'
import { loadFigures } from './load-run.ts'
import { type Films, type Movies, openMovies, requestFilms } from './movies.ts'

const SECONDS = 2
const LEAD = 1.5
const FILMS: readonly Films[] = [1, 6]
const AT_ONCE = [64, 256]

/** `/movie` of ours beside Quarkus with the same policies, both warm, with one film and with six. */
export async function openQuarkusMovieArea(opened: AsyncDisposableStack): Promise<Area> {
  const movies = await openMovies(opened)
  const kinds = FILMS.flatMap((films) => AT_ONCE.map((connections) => ({ films, connections })))
  const rows = await Promise.all(kinds.map((kind) => rowsOf(movies, kind)))
  return { unit: 'requests', rows: rows.flat() }
}

async function rowsOf(
  { load, ours, theirs }: Movies,
  { films, connections }: { readonly films: Films; readonly connections: number },
): Promise<readonly Row[]> {
  const figures = async (name: string, server: typeof ours) => {
    const request = { ...(await requestFilms(server, films, connections)), seconds: SECONDS }
    return loadFigures(name, { load, server, request })
  }
  const [our, their] = [await figures(APPS.films, ours), await figures('Quarkus', theirs)]
  const what = `${films} ${films === 1 ? 'film' : 'films'}, ${connections} at once`
  return [
    { what: `${what}, per CPU second`, ours: our.byCpu, peer: their.byCpu, atLeast: LEAD },
    { what: `${what}, per second`, ours: our.byClock, peer: their.byClock, atLeast: LEAD },
    { what: `${what}, 1 / p99`, ours: our.byP99, peer: their.byP99, atLeast: 1 },
  ]
}
