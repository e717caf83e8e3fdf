import { setTimeout as delay } from 'node:timers/promises'
import createKnex, { type Knex } from 'knex'

const migrations: Readonly<Record<string, Knex.Migration>> = {
  '0001_create_films': {
    async up(knex) {
      await knex.schema.createTable('films', (table) => {
        table.integer('id').primary()
        table.text('title').notNullable()
        table.date('release_date').notNullable().index()
      })
    },
    async down(knex) {
      await knex.schema.dropTable('films')
    },
  },
  // A migration, so that it runs once: a deleted film does not come back.
  '0002_seed_films': {
    async up(knex) {
      await knex('films').insert([
        { id: 1, title: 'A New Hope', release_date: '1977-05-25' },
        { id: 2, title: 'The Empire Strikes Back', release_date: '1980-05-17' },
        { id: 3, title: 'Return of the Jedi', release_date: '1983-05-25' },
        { id: 4, title: 'The Phantom Menace', release_date: '1999-05-19' },
        { id: 5, title: 'Attack of the Clones', release_date: '2002-05-16' },
        { id: 6, title: 'Revenge of the Sith', release_date: '2005-05-19' },
      ])
    },
    async down(knex) {
      await knex('films').whereBetween('id', [1, 6]).delete()
    },
  },
}

const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name) => name,
  getMigration: async (name) => {
    const migration = migrations[name]
    if (migration === undefined) throw new RangeError(`no migration is named ${name}`)
    return migration
  },
}

const LOCK_ATTEMPTS = 10
const LOCK_WAIT_MS = 200

/** Any number that instances sharing a server agree on. */
const ADVISORY_LOCK = 7_411_980
/** knex would also write to stdout what it throws. */
const silent = { warn() {}, error() {}, deprecate() {}, debug() {} }

/** Brings schema and seed up to date, over its own connection. */
export async function migrate(config: Knex.Config): Promise<void> {
  const knex = createKnex({ ...config, pool: { min: 0, max: 1 }, acquireConnectionTimeout: 2000, log: silent })
  try {
    // knex's lock does not protect the creation of its own tables. This one ends with the pool's only connection.
    if (config.client === 'pg') await knex.raw('select pg_advisory_lock(?)', [ADVISORY_LOCK])
    for (let attempt = 1; attempt < LOCK_ATTEMPTS; attempt += 1) {
      try {
        await knex.migrate.latest({ migrationSource })
        return
      } catch (error) {
        if (!isLocked(error)) throw error
        await delay(LOCK_WAIT_MS)
      }
    }
    // Migrating takes milliseconds: an old lock was left by a killed instance.
    await knex.migrate.forceFreeMigrationsLock({ migrationSource })
    await knex.migrate.latest({ migrationSource })
  } finally {
    await knex.destroy()
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message.includes('Migration table is already locked')
}
