import { migrate, POSTGRES_LIMITS } from '@taproom/database'
import pg from 'pg'
import type { LocalFilm } from './film.ts'
import type { FilmDatabase } from './film-database.ts'
import { filmMigrations } from './film-migrations.ts'
import { buildFilmSql } from './film-sql.ts'

/** A new connection is the slowest that a query can wait for: those that a burst has opened are there for the next one. */
const IDLE_MS = 600_000

/** Connects when needed, ten connections at most. */
export function openPostgresFilms(url: string): FilmDatabase {
  const sql = buildFilmSql('pg')
  const pool = new pg.Pool({ connectionString: url, ...POSTGRES_LIMITS, max: 10, idleTimeoutMillis: IDLE_MS })
  // A broken idle connection leaves the pool by itself and is replaced; without a listener its error would end the process.
  pool.on('error', () => undefined)
  const query = async (name: string, text: string, values: string[]) =>
    (await pool.query<LocalFilm>({ name, text, values })).rows

  return {
    migrate: () => migrate({ kind: 'postgres', url }, filmMigrations),
    async prepare() {
      return {
        all: () => query('all-films', sql.all, []),
        between: (from, to) => query('films-between', sql.between, [from, to]),
        async ping() {
          await pool.query(`${sql.all} limit 1`)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await pool.end()
    },
  }
}
