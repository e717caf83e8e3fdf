import { startPostgres, startProcess, type TestPostgres, waitFor } from '@taproom/testkit'
import createKnex, { type Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DatabaseConfig, type Migrations, migrate } from '../src/index.ts'

let postgres: TestPostgres
let config: DatabaseConfig
let knex: Knex
beforeAll(async () => {
  postgres = await startPostgres()
  config = { kind: 'postgres', url: postgres.url }
  knex = createKnex({ client: 'pg', connection: postgres.url })
})
afterAll(async () => {
  await knex?.destroy()
  await postgres?.[Symbol.asyncDispose]()
})

let logged: [message: string, fields: object][]
beforeEach(() => {
  logged = []
})
const write = (fields: object, message: string) => void logged.push([message, fields])
const log = { info: write, warn: write, error: write }

const down = async () => undefined
const sleeping = (seconds: number): Migrations => ({
  '0001_sleep': { up: (queries) => queries.raw('select pg_sleep(?)', [seconds]), down },
})

describe('decisions 3.166: a migration of PostgreSQL', () => {
  it('takes longer than a query may, and the log says which one and how long', async () => {
    await migrate(config, sleeping(7), { table: 'seven_migrations', log })
    expect(logged).toEqual([
      ['migration runs', { migration: '0001_sleep' }],
      ['migration ran', { migration: '0001_sleep', durationMs: expect.any(Number) }],
    ])
  })

  it('takes longer than the limit that its role or its database has for statements', async () => {
    await knex.raw('create database limited')
    await knex.raw(`alter database limited set statement_timeout = '3s'`)
    const limited = Object.assign(new URL(postgres.url), { pathname: '/limited' }).href
    await migrate({ kind: 'postgres', url: limited }, sleeping(4), { log })
    expect(logged.map(([message]) => message)).toEqual(['migration runs', 'migration ran'])
  })

  it('does not wait for a lock for long, fails by name, and leaves nothing', async () => {
    await knex.schema.createTable('locked', (table) => void table.integer('id'))
    const transaction = await knex.transaction()
    const added: Migrations = {
      '0001_before': {
        up: (queries) => queries.schema.createTable('before', (table) => void table.integer('id')),
        down,
      },
      '0002_add': { up: (queries) => queries.schema.alterTable('locked', (table) => void table.text('name')), down },
    }
    try {
      await transaction.raw('lock table locked in access share mode')
      const migrated = migrate(config, added, { table: 'locked_migrations', log })
      await expect(migrated).rejects.toMatchObject({ code: '55P03' })
    } finally {
      await transaction.rollback()
    }
    expect(logged.at(-1)).toEqual([
      'migration failed',
      { migration: '0002_add', durationMs: expect.any(Number), err: expect.objectContaining({ code: '55P03' }) },
    ])
    expect(await knex.schema.hasTable('before')).toBe(false)
    await migrate(config, added, { table: 'locked_migrations', log })
    expect(await knex('locked_migrations').pluck('name')).toEqual(Object.keys(added))
  })

  it('runs when the instance that was at it is killed, though it had left a lock in a table', async () => {
    await using killed = startProcess(new URL('abandoned-migration.ts', import.meta.url), {
      DATABASE_URL: postgres.url,
    })
    await waitFor('the migration', () => killed.lines.some(({ msg }) => msg === 'migration runs'))
    const next = migrate(config, { '0001_endless': { up: down, down } }, { table: 'killed_migrations', log })
    await waitFor('the wait', () => logged.length > 0)
    expect(await knex('killed_migrations_lock').pluck('is_locked')).toEqual([1])
    process.kill(killed.pid ?? 0, 'SIGKILL')
    await next
    expect(logged.map(([message]) => message)).toEqual([
      'another instance migrates the database, waiting for it',
      'migration runs',
      'migration ran',
    ])
    expect(await knex('killed_migrations').pluck('name')).toEqual(['0001_endless'])
  })
})
