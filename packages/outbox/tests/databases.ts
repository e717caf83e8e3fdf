import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@taproom/testkit'
import createKnex, { type Knex } from 'knex'
import { type DatabasePort, outboxTables } from '../src/index.ts'

/** An empty database with the tables of this package, and how many connections one wants to it. */
export interface TestDatabase extends AsyncDisposable {
  /** As another instance would have it. */
  connect(): DatabasePort & AsyncDisposable & { readonly knex: Knex }
}

async function databaseOn(config: Knex.Config, dispose: () => unknown): Promise<TestDatabase> {
  const opened: Knex[] = []
  const connect = () => {
    const knex = createKnex({ ...config, log: silentLog })
    opened.push(knex)
    const query = <T>(ask: (queries: Knex) => Promise<T>) => ask(knex)
    return { knex, query, [Symbol.asyncDispose]: () => knex.destroy() }
  }
  await outboxTables.up(connect().knex)
  return {
    connect,
    async [Symbol.asyncDispose]() {
      for (const knex of opened) await knex.destroy()
      await dispose()
    },
  }
}

export async function sqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'taproom-outbox-'))
  return await databaseOn(
    {
      client: 'better-sqlite3',
      connection: { filename: join(folder, 'outbox.sqlite') },
      useNullAsDefault: true,
      pool: { min: 1, max: 1 },
    },
    () => rmSync(folder, { recursive: true }),
  )
}

export async function postgres(): Promise<TestDatabase> {
  const server = await startPostgres()
  return await databaseOn({ client: 'pg', connection: server.url, pool: { min: 0, max: 5 } }, () =>
    server[Symbol.asyncDispose](),
  )
}

export const silentLog = { debug() {}, info() {}, warn() {}, error() {}, deprecate() {} }
