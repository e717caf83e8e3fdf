import type { Log } from '@taproom/core/lines'
import type { Knex } from 'knex'

/** A migration of knex. PostgreSQL's CREATE INDEX CONCURRENTLY, for example, needs `config: { transaction: false }`. */
export interface Migration extends Knex.Migration {
  readonly config?: { readonly transaction?: boolean }
}

/** Migrations by their names, in their order. One that has run is never changed. */
export type Migrations = Readonly<Record<string, Migration>>

/**
 * Statements of a migration may take any time. They wait for locks for less time than the limit of a query: while a migration waits for a
 * table, the queries behind it wait, too.
 */
const LIMITS = `select set_config('statement_timeout', '0', true), set_config('lock_timeout', '4s', true)`

/** True for a migration within a transaction, which is knex's default. */
export function isTransactional({ config }: Migration): boolean {
  return config?.transaction !== false
}

/** For knex. `log` gets a line when a migration begins, ends or fails. */
export function migrationSource(
  migrations: Migrations,
  { kind, log }: { readonly kind: string; readonly log: Pick<Log, 'info' | 'error'> },
): Knex.MigrationSource<string> {
  return {
    getMigrations: async () => Object.keys(migrations),
    getMigrationName: (name) => name,
    async getMigration(name) {
      const migration = migrations[name]
      if (migration === undefined) throw new RangeError(`no migration is named ${name}`)
      return {
        ...migration,
        async up(knex) {
          const begunAt = performance.now()
          const described = () => ({ migration: name, durationMs: Math.round(performance.now() - begunAt) })
          log.info({ migration: name }, 'migration runs')
          try {
            if (kind === 'postgres' && isTransactional(migration)) await knex.raw(LIMITS)
            await migration.up(knex)
          } catch (err) {
            log.error({ ...described(), err }, 'migration failed')
            throw err
          }
          log.info(described(), 'migration ran')
        },
      }
    },
  }
}
