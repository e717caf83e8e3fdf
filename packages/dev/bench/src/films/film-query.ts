import { type FilmStore, openFilmStore } from '@taproom/movie-api/film-store'
import { createLogger } from '@taproom/service'
import Database from 'better-sqlite3'

/** movie-api's own store, over a new SQLite file with the films of the contract. */
export async function openMovieApiStore(file: string): Promise<FilmStore> {
  const store = openFilmStore({ kind: 'sqlite', file }, createLogger('bench', { level: 'silent' }))
  await store.find(undefined)
  return store
}

/** The same query of the same file as a bare prepared statement. */
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
