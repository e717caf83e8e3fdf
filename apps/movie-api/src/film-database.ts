import type { LocalFilm } from './film.ts'

/** What is asked of a database once it is prepared. */
export interface FilmQueries {
  all(): Promise<readonly LocalFilm[]>
  /** Both days included, `YYYY-MM-DD`. */
  between(from: string, to: string): Promise<readonly LocalFilm[]>
  /** Rejects when the database does not answer or has no films table. */
  ping(): Promise<void>
}

/** The films in one kind of database. */
export interface FilmDatabase extends AsyncDisposable {
  /** Brings schema and seed up to date; changes nothing when they are. */
  migrate(): Promise<void>
  /** Gives what reads; called again after a query has failed. */
  prepare(): Promise<FilmQueries>
}
