import { statSync } from 'node:fs'
import type { Log } from '@taproom/core/lines'
import type { Knex } from 'knex'
import { createConnection } from './connection.ts'
import type { DatabaseConfig, DatabaseProperties } from './database-properties.ts'
import { migrate } from './migrate.ts'
import type { Migrations } from './migrations.ts'
import { openPool } from './pool.ts'

export interface DatabaseOptions extends Omit<DatabaseProperties, 'migrateWaitMs'> {
  readonly migrations: Migrations
  /** The table that lists the migrations that ran: services that share a database need one each. Default `knex_migrations`. */
  readonly migrationsTable?: string
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
}

/** A database and its schema; disposing of it closes its connections. */
export interface Database extends AsyncDisposable {
  /**
   * Runs queries.
   *
   * @throws {DatabaseUnavailableError} when the database is away; all else that `ask` throws, as it is: `constraintViolation` tells a
   *   duplicate key from other errors
   */
  query<T>(ask: (knex: Knex) => Promise<T>): Promise<T>
  /** Resolves when the database answers. @throws {DatabaseUnavailableError} when it is away */
  ping(): Promise<void>
}

/** Returns at once and connects in the background, after it has brought the schema up to date. */
export function openDatabase(options: DatabaseOptions): Database {
  const { database, log } = options
  let opened: Knex | undefined
  let inode: number | undefined
  async function close(): Promise<void> {
    await opened?.destroy()
    opened = undefined
  }
  const { run, check, stop } = createConnection({
    kind: database.kind,
    log,
    async prepare(signal) {
      await close()
      const { migrations, migrationsTable: table } = options
      if (options.migrateAtStart) await migrate(database, migrations, { table, log, signal })
      const knex = openPool(database)
      opened = knex
      await knex.raw('select 1')
      inode = inodeOf(database)
      return knex
    },
  })
  const ping = () =>
    check(async (knex) => {
      // An open file stays readable after it was removed or replaced; its path shows it.
      if (inodeOf(database) !== inode) throw new Error('the database file was replaced')
      await knex.raw('select 1')
    })

  ping().catch(() => undefined)
  return {
    query: run,
    ping,
    async [Symbol.asyncDispose]() {
      await stop()
      await close()
    },
  }
}

function inodeOf(database: DatabaseConfig): number | undefined {
  return database.kind === 'sqlite' ? statSync(database.file).ino : undefined
}
