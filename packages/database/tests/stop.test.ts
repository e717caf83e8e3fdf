import { startPostgres, type TestPostgres, waitFor } from '@taproom/testkit'
import type { Knex } from 'knex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Migrations, migrate, openDatabase, openPool } from '../src/index.ts'

let postgres: TestPostgres
let knex: Knex
beforeAll(async () => {
  postgres = await startPostgres()
  knex = openPool({ kind: 'postgres', url: postgres.url })
  // As those of deploy/: otherwise a statement of a connection that has gone goes on, and keeps the lock.
  await knex.raw(`alter database taproom set client_connection_check_interval = '1s'`)
})
afterAll(async () => {
  await knex?.destroy()
  await postgres?.[Symbol.asyncDispose]()
})

function open(migrations: Migrations) {
  const logged: string[] = []
  const write = (_fields: object, message: string) => void logged.push(message)
  const options = { migrations, migrateAtStart: true, log: { info: write, warn: write, error: write } }
  return Object.assign(openDatabase({ database: { kind: 'postgres', url: postgres.url }, ...options }), { logged })
}

describe('decisions 3.166: a stop', () => {
  it('does not wait for the migration of another instance', async () => {
    const waiting = 'another instance migrates the database, waiting for it'
    const other = Promise.withResolvers<void>()
    const down = () => other.promise
    const first = open({ '0001_long': { up: down, down } })
    await waitFor('the migration', () => first.logged.includes('migration runs'))
    const second = open({ '0001_long': { up: down, down } })
    await waitFor('the wait', () => second.logged.includes(waiting))
    await second[Symbol.asyncDispose]()
    expect(second.logged).not.toContain('migration runs')
    other.resolve()
    await first[Symbol.asyncDispose]()
  })

  it('ends a migration that runs, which leaves nothing', async () => {
    const database = open({
      '0001_endless': {
        async up(queries) {
          await queries.schema.createTable('left', (table) => void table.integer('id'))
          await queries.raw('select pg_sleep(1000)')
        },
        down: async () => undefined,
      },
    })
    await waitFor('the migration', () => database.logged.includes('migration runs'))
    await database[Symbol.asyncDispose]()
    expect(await knex.schema.hasTable('left')).toBe(false)
  })

  it('ends a connection that is opened after it', async () => {
    const log = { info() {}, warn() {}, error() {} }
    const url = `${postgres.url}?application_name=late`
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(migrate({ kind: 'postgres', url }, {}, { log, signal })).rejects.toThrow('stopped')
    await waitFor('its end', async () => {
      const { rows } = await knex.raw(`select from pg_stat_activity where application_name = 'late'`)
      return rows.length === 0
    })
  })
})

it('decisions 3.166: a lost machine loses the lock of the migrations after a minute', async () => {
  let found: unknown
  const asks: Migrations = {
    '0001_asks': {
      async up(queries) {
        const names = ['idle', 'interval', 'count'].map(
          (name) => `current_setting('tcp_keepalives_${name}') as ${name}`,
        )
        found = (await queries.raw(`select ${names.join()}`)).rows[0]
      },
      down: async () => undefined,
    },
  }
  const log = { info() {}, warn() {}, error() {} }
  await migrate({ kind: 'postgres', url: postgres.url }, asks, { table: 'asks_migrations', log })
  expect(found).toEqual({ idle: '30', interval: '10', count: '3' })
})
