import { type DatabaseConfig, migrate, openPool } from '@taproom/database'
import type { Logger } from '@taproom/service'
import type { LocalFilm } from './film.ts'
import type { FilmDatabase } from './film-database.ts'
import { filmMigrations } from './film-migrations.ts'
import { buildFilmSql } from './film-sql.ts'

/** Connects when needed. */
export function openPostgresFilms(config: DatabaseConfig, log: Logger): FilmDatabase {
  const sql = buildFilmSql('pg')
  const pool = openPool(config)
  const query = async (text: string, values: readonly string[] = []) =>
    (await pool.raw<{ rows: LocalFilm[] }>(text, values)).rows

  return {
    migrate: (signal) => migrate(config, filmMigrations, { log, signal }),
    async prepare() {
      return {
        all: () => query(sql.all),
        between: (from, to) => query(sql.between, [from, to]),
        async ping() {
          await query(`${sql.all} limit 1`)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await pool.destroy()
    },
  }
}
