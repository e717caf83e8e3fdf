import type { Area, Row } from '../area.ts'
import { loadFigures } from './load-run.ts'
import { openMovies, PATHS } from './movies.ts'

const SECONDS = 2
const LEAD = 1.5

/** `/movie` of movie-api beside Quarkus with the same policies, both warm, with one film and with six. */
export async function openQuarkusMovieArea(opened: AsyncDisposableStack): Promise<Area> {
  const { load, ours, theirs } = await openMovies(opened)
  const rows = ([1, 6] as const).flatMap((films): readonly Row[] =>
    [64, 256].flatMap((connections) => {
      const request = { path: PATHS[films], connections, seconds: SECONDS }
      const our = loadFigures('movie-api', { load, server: ours, request })
      const their = loadFigures('Quarkus', { load, server: theirs, request })
      const what = `${films} ${films === 1 ? 'film' : 'films'}, ${connections} at once`
      return [
        { what: `${what}, per CPU second`, ours: our.byCpu, peer: their.byCpu, atLeast: LEAD },
        { what: `${what}, per second`, ours: our.byClock, peer: their.byClock, atLeast: LEAD },
        { what: `${what}, 1 / p99`, ours: our.byP99, peer: their.byP99, atLeast: 1 },
      ]
    }),
  )
  return { unit: 'requests', rows }
}
