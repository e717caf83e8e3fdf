import { tracing } from '@taproom/core/spans'
import { createConnection, type DatabaseConfig } from '@taproom/database'
import type { Logger } from '@taproom/service'
import type { LocalFilm } from './film.ts'
import type { FilmDatabase, FilmQueries } from './film-database.ts'
import { TABLE } from './film-sql.ts'

/** The films of the local database, ordered by id. */
export type FilmStore = Awaited<ReturnType<typeof openFilmStore>>

/** Does not connect yet. Loads the driver of that kind alone. */
export async function openFilmDatabase(config: DatabaseConfig, log: Logger): Promise<FilmDatabase> {
  if (config.kind === 'sqlite') {
    const { openSqliteFilms } = await import('./sqlite-films.ts')
    return openSqliteFilms(config.file, log)
  }
  const { openPostgresFilms } = await import('./postgres-films.ts')
  return openPostgresFilms(config, log)
}

/** Does not wait for the database, which is prepared in the background; with `migrateAtStart` it brings schema and seed up to date first. */
export async function openFilmStore(config: DatabaseConfig, log: Logger, { migrateAtStart = true } = {}) {
  const database = await openFilmDatabase(config, log)
  const { run, check, stop } = createConnection<FilmQueries>({
    kind: config.kind,
    log,
    async prepare(signal) {
      if (migrateAtStart) await database.migrate(signal)
      return database.prepare()
    },
  })

  /** A query of a caller's, in a span by the semantic conventions for databases; what is asked for is not in it. */
  function query<T>(ask: (queries: FilmQueries) => Promise<T>): Promise<T> {
    const traces = tracing()
    if (traces === undefined) return run(ask)
    const system = config.kind === 'sqlite' ? 'sqlite' : 'postgresql'
    const attributes = { 'db.system.name': system, 'db.operation.name': 'SELECT', 'db.collection.name': TABLE }
    return traces.during('@taproom/movie-api', `SELECT ${TABLE}`, { kind: 'client', attributes }, () => run(ask))
  }

  check((queries) => queries.ping()).catch(() => undefined)
  return {
    /** Films released in the year, or all. @throws {DatabaseUnavailableError} when the database is away */
    async find(year: number | undefined): Promise<readonly LocalFilm[]> {
      if (year === undefined) return query((queries) => queries.all())
      // These databases write dates with four-digit years; every film is within.
      if (year < 1 || year > 9999) return []
      const yyyy = String(year).padStart(4, '0')
      return query((queries) => queries.between(`${yyyy}-01-01`, `${yyyy}-12-31`))
    },
    /** Resolves when the database answers. @throws {DatabaseUnavailableError} when it is away */
    ping: (): Promise<void> => check((queries) => queries.ping()),
    async [Symbol.asyncDispose]() {
      await stop()
      await database[Symbol.asyncDispose]()
    },
  }
}
