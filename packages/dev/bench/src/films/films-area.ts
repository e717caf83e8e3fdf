import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Area, Row } from '../area.ts'
import { inProcess } from '../in-process.ts'
import { startServer } from '../server-process.ts'
import { openMovieApiStore, openPreparedStatement } from './film-query.ts'
import { latency } from './latency.ts'

const REMOTE_LATENCY_MS = 20
const QUERIES = 50_000
const YEAR = 1980

/** movie-api: its query beside a bare statement, and all six films beside one call of a remote that takes 20 ms. */
export async function openFilmsArea(opened: AsyncDisposableStack): Promise<Area> {
  const { path: folder } = opened.use(await mkdtempDisposable(join(tmpdir(), 'taproom-bench-')))
  const query = await queryRow(join(folder, 'films.sqlite'), opened)

  const remote = opened.use(
    await startServer(new URL('./slow-remote-main.ts', import.meta.url), {
      args: [String(REMOTE_LATENCY_MS)],
    }),
  )
  const movieApi = opened.use(
    await startServer(new URL('../../../../../apps/movie-api/src/main.ts', import.meta.url), {
      env: { DATABASE_URL: `sqlite:${folder}/movie-api.sqlite`, FILM_SERVICE_URL: remote.url, LOG_LEVEL: 'info' },
    }),
  )
  return {
    unit: 'per second',
    rows: [
      query,
      {
        what: `/movie, 6 films of a remote that takes ${REMOTE_LATENCY_MS} ms`,
        ours: latency('movie-api', `${movieApi.url}/movie`),
        peer: latency('one call of the remote', `${remote.url}/films/1`),
        atMostLonger: 0.005,
      },
    ],
  }
}

async function queryRow(file: string, opened: AsyncDisposableStack): Promise<Row> {
  const store = opened.use(await openMovieApiStore(file))
  const statement = opened.use(openPreparedStatement(file))
  return {
    what: 'film query, in one process',
    ours: inProcess('film store', () => store.find(YEAR), { calls: QUERIES }),
    peer: inProcess('prepared statement', () => statement.find(YEAR), { calls: QUERIES }),
    atLeast: 0.8,
  }
}
