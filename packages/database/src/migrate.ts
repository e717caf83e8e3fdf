import type { Log } from '@taproom/core/lines'
import { pause, sleep } from '@taproom/core/time'
import createKnex, { type Knex } from 'knex'
import { compareChecksums } from './checksums.ts'
import type { DatabaseConfig } from './database-properties.ts'
import { knexConfig } from './knex-config.ts'
import { isTransactional, type Migrations, migrationSource } from './migrations.ts'

export interface MigrateOptions {
  /** Lists the migrations that ran: services that share a database need one each. Default `knex_migrations`. */
  readonly table?: string | undefined
  /** Gets a line when a migration begins, ends or fails, was changed after it ran, and when another instance migrates. */
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  /** Ends the wait for another instance, and the connections to PostgreSQL: what runs there is rolled back. */
  readonly signal?: AbortSignal | undefined
}

const LOCK_ATTEMPTS = 10
const LOCK_WAIT_MS = 200

/** The log has a line about the wait for another instance this often. */
const WAIT_LINE_MS = 60_000

/**
 * The transaction that holds the lock may be idle as long as a migration takes. A machine that is lost, and does not close its connection,
 * loses the lock after a minute.
 */
const HOLDER = `
  select set_config('idle_in_transaction_session_timeout', '0', true), set_config('tcp_keepalives_idle', '30', true),
    set_config('tcp_keepalives_interval', '10', true), set_config('tcp_keepalives_count', '3', true)`

/** The number of the lock, the same in all instances. */
const ADVISORY_LOCK = 7_411_980

/**
 * Brings a schema up to date, over connections of its own; instances that share PostgreSQL may do so at the same time, through PgBouncer,
 * too. Migrations of a newer version, whose names come after all of these, are left: so one can go back. A migration of PostgreSQL waits
 * for a lock for 4 s at most and may take any time, unless it runs outside of a transaction: then the limits of its role count.
 *
 * @throws {Error} when the signal aborts, the database does not answer, a migration fails, or others ran between these
 *
 * @example
 * await migrate(config.database, migrations, { log })
 */
export async function migrate(
  database: DatabaseConfig,
  migrations: Migrations,
  { table = 'knex_migrations', log, signal }: MigrateOptions,
): Promise<void> {
  const options: Knex.MigratorConfig = {
    migrationSource: migrationSource(migrations, { kind: database.kind, log }),
    tableName: table,
    disableMigrationsListValidation: true,
  }
  const isPostgres = database.kind === 'postgres'
  using connections = endedBy(signal)
  const { afterCreate } = connections
  const knex = createKnex({
    ...knexConfig(database),
    pool: isPostgres ? { min: 0, max: 2, afterCreate } : { min: 0, max: 1 },
  })
  const checked = async (queries: Knex) => {
    const [ran]: [readonly { readonly name: string }[]] = await queries.migrate.list(options)
    const before = ran.map(({ name }) => name)
    checkRan(before, migrations)
    const { migrate: migrator } = queries
    const latest = async () => {
      const [, now]: [number, readonly string[]] = await migrator.latest(options)
      await compareChecksums(queries, { now, before }, migrations, { table, log })
    }
    return { latest, free: () => migrator.forceFreeMigrationsLock(options) }
  }
  try {
    if (isPostgres) {
      const isOneTransaction = Object.values(migrations).every(isTransactional)
      await withLock(knex, { log, signal }, async (lock) => {
        const migrator = await checked(isOneTransaction ? lock : knex)
        // Only a killed instance can have left knex's own lock.
        await migrator.free()
        await migrator.latest()
      })
    } else await migrateFile(() => checked(knex), table)
  } finally {
    await knex.destroy()
  }
}

/**
 * Lets one instance after another migrate. The lock is that of a transaction: it ends with its instance, and through a pooler, too. It is
 * asked for again and again, because a statement that waits for it would hold up CREATE INDEX CONCURRENTLY.
 */
async function withLock(
  knex: Knex,
  { log, signal }: Pick<MigrateOptions, 'log' | 'signal'>,
  work: (lock: Knex.Transaction) => Promise<void>,
): Promise<void> {
  const isDone = () =>
    knex.transaction(async (lock) => {
      const { rows } = await lock.raw('select pg_try_advisory_xact_lock(?) as locked', [ADVISORY_LOCK])
      if (!rows[0].locked) return false
      await lock.raw(HOLDER)
      await work(lock)
      return true
    })
  let saidAt = -Infinity
  while (!(await isDone())) {
    if (performance.now() - saidAt > WAIT_LINE_MS) {
      log.info({}, 'another instance migrates the database, waiting for it')
      saidAt = performance.now()
    }
    await sleep(LOCK_WAIT_MS, signal)
  }
}

/** Ends connections when the signal aborts, and those that are opened later; a query that is under way fails. */
function endedBy(signal: AbortSignal | undefined) {
  const connections: { end(): Promise<void> }[] = []
  const end = () => {
    for (const connection of connections) connection.end().catch(() => undefined)
  }
  signal?.addEventListener('abort', end, { once: true })
  return {
    afterCreate(connection: { end(): Promise<void> }, done: (error: unknown, connection: object) => void) {
      connections.push(connection)
      if (signal?.aborted) end()
      done(signal?.aborted ? signal.reason : null, connection)
    },
    [Symbol.dispose]: () => signal?.removeEventListener('abort', end),
  }
}

interface Migrator {
  latest(): Promise<void>
  free(): Promise<void>
}

async function migrateFile(checked: () => Promise<Migrator>, table: string): Promise<void> {
  for (let attempt = 1; attempt < LOCK_ATTEMPTS; attempt += 1) {
    try {
      const migrator = await checked()
      await migrator.latest()
      return
    } catch (error) {
      if (!isOfAnother(error, `create table \`${table}`)) throw error
      await pause(LOCK_WAIT_MS)
    }
  }
  // A migration of a file takes milliseconds: an old lock was left by a killed instance.
  const migrator = await checked()
  await migrator.free()
  await migrator.latest()
}

/** Replaces knex's own check, which also refuses the migrations of a newer version. */
function checkRan(ran: readonly string[], migrations: Migrations): void {
  const last = Object.keys(migrations).toSorted().at(-1) ?? ''
  const others = ran.filter((name) => !Object.hasOwn(migrations, name) && name < last)
  if (others.length > 0)
    throw new Error(`migrations that are not among those of this service ran: ${others.join(', ')}`)
}

/** Another instance migrates the file, or has just made knex's own tables, which its lock does not protect. */
function isOfAnother(error: unknown, creation: string): boolean {
  if (!(error instanceof Error)) return false
  const isMade = error.message.startsWith(creation) && error.message.endsWith('already exists')
  return isMade || error.message.includes('Migration table is already locked')
}
