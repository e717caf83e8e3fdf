import Database from 'better-sqlite3'
import { quietLog } from '../quiet-log.ts'

/** What the film query is asked for in movie-api, as far as it is needed here. */
export interface FilmStore extends AsyncDisposable {
  find(year: number | undefined): Promise<readonly unknown[]>
}

type OpenFilmStore = (config: { readonly kind: 'sqlite'; readonly file: string }, log: object) => FilmStore

/** movie-api's own store, over a new SQLite file with the films of the contract. */
export async function openMovieApiStore(file: string): Promise<FilmStore> {
  const { href } = new URL('../../../../../apps/movie-api/src/film-store.ts', import.meta.url)
  const { openFilmStore } = (await import(href)) as { readonly openFilmStore: OpenFilmStore }
  const store = openFilmStore({ kind: 'sqlite', file }, quietLog)
  await store.find(undefined)
  return store
}

/** The same query of the same file, prepared by hand and with nothing around it. */
export function openPreparedStatement(file: string): Disposable & { find(year: number): unknown[] } {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  const statement = database.prepare(
    'select id, title, release_date as releaseDate from films where release_date between ? and ? order by id',
  )
  return {
    find: (year) => statement.all(`${year}-01-01`, `${year}-12-31`),
    [Symbol.dispose]: () => void database.close(),
  }
}
