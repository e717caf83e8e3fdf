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
 * Brings a schema up to date, over a connection of its own; instances that share PostgreSQL may do so at the same time. `table` lists the
 * migrations that ran. Those of a newer version, whose names come after all of these, are left: so one can go back.
 *
 * @throws {Error} when the database does not answer, a migration fails, or others ran between these
 */
export async function migrate(
  database: DatabaseConfig,
  migrations: Migrations,
  table = 'knex_migrations',
): Promise<void> {
  const options: Knex.MigratorConfig = {
    migrationSource: sourceOf(migrations),
    tableName: table,
    disableMigrationsListValidation: true,
  }
  const knex = createKnex({ ...knexConfig(database), pool: { min: 0, max: 1 } })
  try {
    // knex's lock does not protect the creation of its own tables. This one ends with the pool's only connection.
    if (database.kind === 'postgres') await knex.raw('select pg_advisory_lock(?)', [ADVISORY_LOCK])
    const [ran]: [readonly { readonly name: string }[]] = await knex.migrate.list(options)
    checkRan(
      ran.map(({ name }) => name),
      migrations,
    )
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

/** In place of knex's own check, to which a newer version's migrations are damage, too. */
function checkRan(ran: readonly string[], migrations: Migrations): void {
  const last = Object.keys(migrations).toSorted().at(-1) ?? ''
  const others = ran.filter((name) => !Object.hasOwn(migrations, name) && name < last)
  if (others.length > 0)
    throw new Error(`migrations that are not among those of this service ran: ${others.join(', ')}`)
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
