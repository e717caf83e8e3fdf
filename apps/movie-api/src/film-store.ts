import type { Logger } from '@taproom/service'
import type { DatabaseConfig } from './config.ts'
import type { LocalFilm } from './film.ts'
import type { FilmDatabase, FilmQueries } from './film-database.ts'
import { openPostgresFilms } from './postgres-films.ts'
import { openSqliteFilms } from './sqlite-films.ts'

/** The database cannot be reached, or refuses a query. */
export class FilmStoreError extends Error {
  override readonly name = 'FilmStoreError'
  readonly code = 'FILM_STORE_FAILED'
}

/** The films of the local database, ordered by id. */
export type FilmStore = ReturnType<typeof openFilmStore>

/** Does not connect yet. */
export function openFilmDatabase(config: DatabaseConfig): FilmDatabase {
  return config.kind === 'sqlite' ? openSqliteFilms(config.file) : openPostgresFilms(config.url)
}

/**
 * Returns at once and prepares the database in the background. While it is away every call fails and tries again, so the readiness probe
 * alone brings the store back once the database returns. With `migrateAtStart` it brings schema and seed up to date first.
 */
export function openFilmStore(config: DatabaseConfig, log: Logger, { migrateAtStart = true } = {}) {
  const database = openFilmDatabase(config)
  let ready: Promise<FilmQueries> | undefined
  let isDown = false

  async function prepare(): Promise<FilmQueries> {
    if (migrateAtStart) await database.migrate()
    return database.prepare()
  }

  async function run<T>(ask: (queries: FilmQueries) => Promise<T>): Promise<T> {
    ready ??= prepare()
    const asked = ready
    try {
      const answer = await ask(await asked)
      if (isDown) log.info({ database: config.kind }, 'database is back')
      isDown = false
      return answer
    } catch (cause) {
      if (ready === asked) ready = undefined
      if (!isDown) log.error({ database: config.kind, err: cause }, 'database is unavailable')
      isDown = true
      throw new FilmStoreError('the film database is unavailable', { cause })
    }
  }

  run((queries) => queries.ping()).catch(() => undefined)
  return {
    /** Films released in the year, or all. @throws {FilmStoreError} when the database is away */
    async find(year: number | undefined): Promise<readonly LocalFilm[]> {
      if (year === undefined) return run((queries) => queries.all())
      // These databases write dates with four-digit years; every film is within.
      if (year < 1 || year > 9999) return []
      const yyyy = String(year).padStart(4, '0')
      return run((queries) => queries.between(`${yyyy}-01-01`, `${yyyy}-12-31`))
    },
    /** Resolves when the database answers. @throws {FilmStoreError} when it is away */
    ping: (): Promise<void> => run((queries) => queries.ping()),
    async [Symbol.asyncDispose]() {
      await ready?.catch(() => undefined)
      await database[Symbol.asyncDispose]()
    },
  }
}
