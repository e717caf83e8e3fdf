import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Knex } from 'knex'
import type { DatabaseConfig } from './database-properties.ts'

/** Of a connection to PostgreSQL, in the words of its driver. */
export const POSTGRES_LIMITS = {
  connectionTimeoutMillis: 5000,
  statement_timeout: 5000,
  // Later than the server's own: a slow query ends by that, and keeps its connection; this is for a server that says nothing.
  query_timeout: 7000,
  keepAlive: true,
  // Sooner than those in between forget a connection on which nothing is said.
  keepAliveInitialDelayMillis: 60_000,
}

/** knex would also write to stdout what it throws. */
const silent = { warn() {}, error() {}, deprecate() {}, debug() {} }

/** Creates the folder of an SQLite file. */
export function knexConfig(database: DatabaseConfig): Knex.Config {
  const common = { acquireConnectionTimeout: POSTGRES_LIMITS.connectionTimeoutMillis, log: silent }
  if (database.kind === 'postgres') {
    return { ...common, client: 'pg', connection: { connectionString: database.url, ...POSTGRES_LIMITS } }
  }
  mkdirSync(dirname(database.file), { recursive: true })
  return { ...common, client: 'better-sqlite3', connection: { filename: database.file }, useNullAsDefault: true }
}
