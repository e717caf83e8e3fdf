import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPgBouncer, startPostgres, type TestPgBouncer, type TestPostgres } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type DatabaseConfig, type Migrations, migrate, openPool } from '../src/index.ts'

const CHANGED = expect.stringContaining('was changed after it ran')
const down = async () => undefined
const column = (name: string): Migrations => ({
  '0001_orders': { up: (knex) => knex.schema.createTable('orders', (table) => void table.text('id')), down },
  '0002_column': {
    up:
      name === 'title'
        ? (knex) => knex.schema.alterTable('orders', (table) => void table.text('title'))
        : (knex) => knex.schema.alterTable('orders', (table) => void table.text('name')),
    down,
  },
})
const third: Migrations = {
  '0003_more': { up: (knex) => knex.schema.createTable('more', (t) => void t.text('id')), down },
}

async function migrated(config: DatabaseConfig, migrations: Migrations) {
  const warned: [object, string][] = []
  const log = { info() {}, error() {}, warn: (fields: object, message: string) => void warned.push([fields, message]) }
  await migrate(config, migrations, { log })
  return warned
}

function itWarns(config: () => DatabaseConfig) {
  it('is warned of by its name at each start, and the database stays as it is', async () => {
    expect(await migrated(config(), column('title'))).toEqual([])
    expect(await migrated(config(), column('title'))).toEqual([])
    const warning = [{ migration: '0002_column' }, CHANGED]
    expect(await migrated(config(), column('name'))).toEqual([warning])
    expect(await migrated(config(), { ...column('name'), ...third })).toEqual([warning])
    expect(await migrated(config(), column('title'))).toEqual([])
    await using knex = disposable(openPool(config()))
    expect(await knex.queries.schema.hasColumn('orders', 'title')).toBe(true)
  })

  it('is not known in a database of an earlier version, which gets checksums with the next migration that runs', async () => {
    await using knex = disposable(openPool(config()))
    await knex.queries.schema.dropTable('knex_migrations_sums')
    expect(await migrated(config(), column('name'))).toEqual([])
    expect(await knex.queries.schema.hasTable('knex_migrations_sums')).toBe(false)
    const more: Migrations = { ...third, '0004_last': { up: down, down } }
    expect(await migrated(config(), { ...column('name'), ...more })).toEqual([])
    expect(await migrated(config(), { ...column('title'), ...more })).toEqual([[{ migration: '0002_column' }, CHANGED]])
  })
}

/** `up` of one migration in its sources, and as rolldown bundles it. */
const SOURCE = `async (knex) => {
  const limit = 60 * 1000
  const hasTitle = true
  await knex.schema.createTable(TABLE, (table) => {
    table.boolean('open').defaultTo(hasTitle)
    table.integer('wait').defaultTo(limit)
  })
}`
const BUNDLED =
  'async e=>{await e.schema.createTable(`waits`,e=>{e.boolean(`open`).defaultTo(!0),e.integer(`wait`).defaultTo(6e4)})}'
const fromText = (text: string): Migrations => ({
  '0009_waits': { up: new Function('TABLE', `return ${text}`)('waits'), down },
})

it('decisions 3.192: sources and bundles of a migration are compared with their like', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'taproom-changed-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const config = { kind: 'sqlite', file: join(folder, 'waits.sqlite') } as const
  const warning = [{ migration: '0009_waits' }, CHANGED]
  for (const text of [SOURCE, BUNDLED, SOURCE]) expect(await migrated(config, fromText(text))).toEqual([])
  const changed = [SOURCE.replace('hasTitle = true', 'hasTitle = false'), BUNDLED.replace('!0', '!1')]
  for (const text of changed) expect(await migrated(config, fromText(text))).toEqual([warning])
})

function disposable(queries: ReturnType<typeof openPool>) {
  return { queries, [Symbol.asyncDispose]: () => queries.destroy() }
}

describe('decisions 3.192: a migration that was changed after it ran', () => {
  describe('in SQLite', () => {
    let folder: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'taproom-changed-'))
    })
    afterAll(() => rm(folder, { recursive: true }))
    itWarns(() => ({ kind: 'sqlite', file: join(folder, 'orders.sqlite') }))
  })

  describe('in PostgreSQL', () => {
    let postgres: TestPostgres
    beforeAll(async () => {
      postgres = await startPostgres()
    })
    afterAll(() => postgres[Symbol.asyncDispose]())
    itWarns(() => ({ kind: 'postgres', url: postgres.url }))
  })

  describe('in PostgreSQL behind PgBouncer in transaction mode', { tags: 'pgbouncer' }, () => {
    let postgres: TestPostgres
    let pooler: TestPgBouncer
    beforeAll(async () => {
      postgres = await startPostgres()
      pooler = await startPgBouncer(postgres.url)
    })
    afterAll(async () => {
      for (const resource of [pooler, postgres]) await resource?.[Symbol.asyncDispose]()
    })
    itWarns(() => ({ kind: 'postgres', url: pooler.url }))
  })
})
