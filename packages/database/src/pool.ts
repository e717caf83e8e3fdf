import createKnex, { type Knex } from 'knex'
import { type DatabaseConfig, POOL_MAX } from './database-properties.ts'
import { knexConfig } from './knex-config.ts'
import { isAway } from './outage.ts'

/**
 * The client waits this long for an answer. PostgreSQL does not know this limit. It ends the query when the connection is closed, if the
 * database has a `client_connection_check_interval`, or by a `statement_timeout`; with neither the query goes on, and takes effect.
 */
const QUERY_MS = 5000

/** An idle connection is kept this long: those that a burst of queries has opened serve the next one, which need not wait for new ones. */
const IDLE_MS = 600_000

/** The pool waits this long for the end of a connection: one that a failover has cut does not answer, and would hold up a stop. */
const DESTROY_MS = 500

type Done = (error: null, connection: object) => void

/**
 * Opens connections when queries need them: `poolMax` to PostgreSQL, one to SQLite. A query of PostgreSQL ends after 5 s without an
 * answer. After a connection has failed or timed out, all older ones are replaced before they are used again: a failover may have cut
 * them silently.
 *
 * @example
 * const knex = openPool({ kind: 'postgres', url })
 * const { rows } = await knex.raw('select title from films where id = ?', [1])
 */
export function openPool(database: DatabaseConfig): Knex {
  return database.kind === 'postgres' ? openPostgres(database) : openSqlite(database)
}

function openPostgres(database: DatabaseConfig & { readonly kind: 'postgres' }): Knex {
  let trusted = new WeakSet<object>()
  const knex = createKnex({
    ...knexConfig(database, { queryMs: QUERY_MS }),
    pool: {
      min: 0,
      max: database.poolMax ?? POOL_MAX,
      idleTimeoutMillis: IDLE_MS,
      destroyTimeoutMillis: DESTROY_MS,
      afterCreate(connection: object, done: Done) {
        trusted.add(connection)
        done(null, connection)
      },
      validate: (connection: object) => trusted.has(connection),
    },
  })
  knex.on('query-error', (error: unknown) => {
    if (isAway(error)) trusted = new WeakSet()
  })
  return knex
}

/** Readers and a writer of an SQLite file work at the same time with WAL. */
function openSqlite(database: DatabaseConfig): Knex {
  const afterCreate = (connection: { pragma(text: string): unknown }, done: Done) => {
    connection.pragma('journal_mode = WAL')
    done(null, connection)
  }
  return createKnex({ ...knexConfig(database), pool: { min: 1, max: 1, afterCreate } })
}
