import type { LocalFilm } from './film.ts'

/** A prepared database. */
export interface FilmQueries {
  all(): Promise<readonly LocalFilm[]>
  /** Both days included, `YYYY-MM-DD`. */
  between(from: string, to: string): Promise<readonly LocalFilm[]>
  /** Rejects when the database does not answer or has no films table. */
  ping(): Promise<void>
}

/** One kind of database. */
export interface FilmDatabase extends AsyncDisposable {
  /** Brings schema and seed up to date; the signal ends that. */
  migrate(signal?: AbortSignal): Promise<void>
  /** Called again after a query has failed. */
  prepare(): Promise<FilmQueries>
}
