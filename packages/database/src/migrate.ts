import { setTimeout as delay } from 'node:timers/promises'
import createKnex, { type Knex } from 'knex'
import type { DatabaseConfig } from './database-properties.ts'
import { knexConfig } from './knex-config.ts'

/** Migrations by their names, in their order. One that has run is never changed. */
export type Migrations = Readonly<Record<string, Knex.Migration>>

const LOCK_ATTEMPTS = 10
const LOCK_WAIT_MS = 200

/** Any number that instances sharing a server agree on. */
const ADVISORY_LOCK = 7_411_980

/**
 * Brings a schema up to date, over a connection of its own; instances that share PostgreSQL may do so at the same time. `table` lists the migrations that ran.
 *
 * @throws {Error} when the database does not answer, or a migration fails
 */
export async function migrate(
  database: DatabaseConfig,
  migrations: Migrations,
  table = 'knex_migrations',
): Promise<void> {
  const options: Knex.MigratorConfig = { migrationSource: sourceOf(migrations), tableName: table }
  const knex = createKnex({ ...knexConfig(database), pool: { min: 0, max: 1 } })
  try {
    // knex's lock does not protect the creation of its own tables. This one ends with the pool's only connection.
    if (database.kind === 'postgres') await knex.raw('select pg_advisory_lock(?)', [ADVISORY_LOCK])
    for (let attempt = 1; attempt < LOCK_ATTEMPTS; attempt += 1) {
      try {
        await knex.migrate.latest(options)
        return
      } catch (error) {
        if (!isLocked(error)) throw error
        await delay(LOCK_WAIT_MS)
      }
    }
    // Migrating takes milliseconds: an old lock was left by a killed instance.
    await knex.migrate.forceFreeMigrationsLock(options)
    await knex.migrate.latest(options)
  } finally {
    await knex.destroy()
  }
}

function sourceOf(migrations: Migrations): Knex.MigrationSource<string> {
  return {
    getMigrations: async () => Object.keys(migrations),
    getMigrationName: (name) => name,
    getMigration: async (name) => {
      const migration = migrations[name]
      if (migration === undefined) throw new RangeError(`no migration is named ${name}`)
      return migration
    },
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message.includes('Migration table is already locked')
}
