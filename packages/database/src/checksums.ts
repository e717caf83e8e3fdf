import type { Log } from '@taproom/core/lines'
import type { Knex } from 'knex'
import { type MigrationSum, sumOf } from './migration-sum.ts'
import type { Migrations } from './migrations.ts'

export interface ChecksumOptions {
  /** The table that lists the migrations that ran; the checksums are in another one beside it, `{table}_sums`. */
  readonly table: string
  /** Gets a line for each migration that was changed after it ran. */
  readonly log: Pick<Log, 'warn'>
}

/** Migrations by what happened to them in this run. */
export interface RanMigrations {
  readonly now: readonly string[]
  readonly before: readonly string[]
}

const CHANGED =
  'migration was changed after it ran, which has no effect: undo the change and add a new migration; ' +
  'in development pnpm start --fresh makes the database again'

/**
 * Warns of migrations that were changed after they ran, and stores checksums of those that had none, for sources and bundles apart. A database without checksums gets them
 * with the next migration that runs: a role that may only read and write starts as before.
 */
export async function compareChecksums(
  queries: Knex,
  { now, before }: RanMigrations,
  migrations: Migrations,
  { table, log }: ChecksumOptions,
): Promise<void> {
  const own = `${table}_sums`
  if (now.length > 0) await ensureTable(queries, own)
  else if (!(await queries.schema.hasTable(own))) return
  const rows: readonly Row[] = await queries(own).select('name', 'form', 'checksum')
  const stored = new Map(rows.map(({ name, form, checksum }) => [`${form} ${name}`, checksum]))
  const missing: Row[] = []
  for (const name of [...before, ...now]) {
    const migration = migrations[name]
    if (migration === undefined) continue
    const { form, checksum } = sumOf(migration.up)
    const key = `${form} ${name}`
    if (now.includes(name) || !stored.has(key)) missing.push({ name, form, checksum })
    else if (stored.get(key) !== checksum) log.warn({ migration: name }, CHANGED)
  }
  if (missing.length > 0) await queries(own).insert(missing).onConflict(['name', 'form']).merge()
}

interface Row extends MigrationSum {
  readonly name: string
}

async function ensureTable(queries: Knex, name: string): Promise<void> {
  const columns = 'name varchar(255) not null, form varchar(16) not null, checksum varchar(64) not null'
  await queries.raw(`create table if not exists ?? (${columns}, primary key (name, form))`, [name])
}
