import { statSync } from 'node:fs'
import { migrate } from '@taproom/database'
import type { Logger } from '@taproom/service'
import Database from 'better-sqlite3'
import type { LocalFilm } from './film.ts'
import type { FilmDatabase } from './film-database.ts'
import { filmMigrations } from './film-migrations.ts'
import { buildFilmSql } from './film-sql.ts'

/** Creates file and folder; WAL lets readers and a writer work at the same time. */
export function openSqliteFilms(file: string, log: Logger): FilmDatabase {
  const sql = buildFilmSql('better-sqlite3')
  let database: Database.Database | undefined
  const close = () => {
    database?.close()
    database = undefined
  }

  return {
    async migrate() {
      close()
      await migrate({ kind: 'sqlite', file }, filmMigrations, { log })
    },
    async prepare() {
      close()
      const opened = new Database(file, { timeout: 2000, fileMustExist: true })
      database = opened
      opened.pragma('journal_mode = WAL')
      const { ino } = statSync(file)
      const all = opened.prepare<[], LocalFilm>(sql.all)
      const between = opened.prepare<[string, string], LocalFilm>(sql.between)
      return {
        all: async () => all.all(),
        between: async (from, to) => between.all(from, to),
        async ping() {
          // An open file stays readable after it was removed or replaced; its path shows it.
          if (statSync(file).ino !== ino) throw new Error('the database file was replaced')
          all.get()
        },
      }
    },
    async [Symbol.asyncDispose]() {
      close()
    },
  }
}
