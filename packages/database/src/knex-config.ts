import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Knex } from 'knex'
import type { DatabaseConfig } from './database-properties.ts'

/** None of these is a startup parameter or a setting of a session, which a pooler such as PgBouncer refuses or gives to other clients. */
const POSTGRES = {
  connectionTimeoutMillis: 5000,
  keepAlive: true,
  // Firewalls and the like forget idle connections later than this.
  keepAliveInitialDelayMillis: 60_000,
}

/** A query waits this long for a connection: longer than an attempt to connect may take, because the error of that says more. */
const ACQUIRE_MS = 6000

/** Without it knex would also write to stdout what it throws. */
const silent = { warn() {}, error() {}, deprecate() {}, debug() {} }

/** Creates the folder of an SQLite file. `queryMs` is the limit of a query of PostgreSQL; without it there is none. */
export function knexConfig(database: DatabaseConfig, { queryMs }: { readonly queryMs?: number } = {}): Knex.Config {
  const common = { acquireConnectionTimeout: ACQUIRE_MS, log: silent }
  if (database.kind === 'postgres') {
    const connection = {
      connectionString: database.url,
      ...POSTGRES,
      ...(queryMs !== undefined && { query_timeout: queryMs }),
    }
    return { ...common, client: 'pg', connection }
  }
  mkdirSync(dirname(database.file), { recursive: true })
  return { ...common, client: 'better-sqlite3', connection: { filename: database.file }, useNullAsDefault: true }
}
