import { join } from 'node:path'
import { openFilmStore } from '@taproom/movie-api/film-store'
import { createLogger } from '@taproom/service'
import Database from 'better-sqlite3'
import { APPS } from '../../harness/apps.ts'
import { temporaryFolder } from '../../harness/temporary-folder.ts'
import type { Area, Row } from '../area.ts'
import { inProcess } from '../contenders.ts'
import { latency } from './latency.ts'
import { startMovies, startRemote } from './movies.ts'

const REMOTE_LATENCY_MS = 20
const QUERIES = 50_000
const YEAR = 1980

/** The film query beside a bare statement, and all six films beside one call of a remote that takes 20 ms. */
export async function openFilmsArea(opened: AsyncDisposableStack): Promise<Area> {
  const folder = await temporaryFolder(opened, 'taproom-bench')
  const query = await queryRow(join(folder, 'films.sqlite'), opened)

  const remote = opened.use(await startRemote(REMOTE_LATENCY_MS))
  const movies = opened.use(await startMovies(join(folder, 'movies.sqlite'), remote.url))
  return {
    unit: 'per second',
    rows: [
      query,
      {
        what: `/movie, 6 films of a remote that takes ${REMOTE_LATENCY_MS} ms`,
        ours: latency(APPS.films, `${movies.url}/movie`),
        peer: latency('one call of the remote', `${remote.url}/films/1`),
        atMostLonger: 0.005,
      },
    ],
  }
}

/** The app's own store, over a new SQLite file with the films of the contract, and the same query of that file as a bare statement. */
async function queryRow(file: string, opened: AsyncDisposableStack): Promise<Row> {
  const store = opened.use(await openFilmStore({ kind: 'sqlite', file }, createLogger('bench', { level: 'silent' })))
  await store.find(undefined)
  const database = opened.adopt(
    new Database(file, { readonly: true, fileMustExist: true }),
    (open) => void open.close(),
  )
  const statement = database.prepare(
    'select id, title, release_date as releaseDate from films where release_date between ? and ? order by id',
  )
  const find = () => statement.all(`${YEAR}-01-01`, `${YEAR}-12-31`)
  return {
    what: 'film query, in one process',
    ours: inProcess('film store', () => store.find(YEAR), { calls: QUERIES }),
    peer: inProcess('prepared statement', find, { calls: QUERIES }),
    atLeast: 0.8,
  }
}
