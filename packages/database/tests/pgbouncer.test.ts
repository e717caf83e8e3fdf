import { startPgBouncer, startPostgres, type TestPgBouncer, type TestPostgres, waitFor } from '@taproom/testkit'
import createKnex from 'knex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseConfig, type Migrations, migrate, openDatabase } from '../src/index.ts'

const log = { info() {}, warn() {}, error() {} }
const migrations: Migrations = {
  '0001_create_notes': {
    up: (knex) => knex.schema.createTable('notes', (table) => void table.text('text').notNullable()),
    down: (knex) => knex.schema.dropTable('notes'),
  },
  '0002_index_notes': {
    config: { transaction: false },
    up: (knex) => knex.raw('create index concurrently notes_text on notes (text)'),
    down: (knex) => knex.raw('drop index notes_text'),
  },
}

describe('decisions 3.166: behind PgBouncer in transaction mode', { tags: 'pgbouncer' }, () => {
  let postgres: TestPostgres
  let pooler: TestPgBouncer
  let config: DatabaseConfig
  beforeAll(async () => {
    postgres = await startPostgres()
    pooler = await startPgBouncer(postgres.url)
    config = { kind: 'postgres', url: pooler.url }
  })
  afterAll(async () => {
    for (const resource of [pooler, postgres]) await resource?.[Symbol.asyncDispose]()
  })

  it('instances migrate and write over fewer connections than they have, also when the pooler was restarted', async () => {
    await using opened = new AsyncDisposableStack()
    const instances = [1, 2, 3].map(() =>
      opened.use(openDatabase({ database: config, migrations, migrateAtStart: true, log })),
    )
    const write = (text: string) =>
      instances.map(({ query }) =>
        query((knex) =>
          knex.transaction(async (transaction) => {
            await transaction('notes').insert({ text })
            return transaction('notes').where({ text }).first('text')
          }),
        ),
      )
    const texts = Array.from({ length: 20 }, (_, index) => `note ${index}`)
    expect(await Promise.all(texts.flatMap(write))).toEqual(texts.flatMap((text) => Array(3).fill({ text })))
    await pooler.restart()
    const isThere = ({ ping }: (typeof instances)[number]) =>
      ping().then(
        () => true,
        () => false,
      )
    for (const instance of instances) await waitFor('the pooler', () => isThere(instance))
    await Promise.all(write('after the restart'))
  })

  it('instances migrate one after another, and leave neither locks nor settings at the connections to the server', async () => {
    const order: string[] = []
    const slow: Migrations = {
      '0001_slow': {
        async up(knex) {
          order.push('begins')
          await knex.raw('select pg_sleep(0.3)')
          await knex.schema.createTable('slow', (table) => void table.integer('id'))
          order.push('ends')
        },
        down: (knex) => knex.schema.dropTable('slow'),
      },
    }
    await Promise.all([1, 2, 3].map(() => migrate(config, slow, { table: 'slow_migrations', log })))
    expect(order).toEqual(['begins', 'ends'])
    const knex = createKnex({ client: 'pg', connection: pooler.url, pool: { min: 2, max: 2 } })
    try {
      const left = `select current_setting('lock_timeout') as limit, (select count(*) from pg_locks where locktype = 'advisory') as locks`
      // At the same time, so that both connections to the server answer.
      const answers = await Promise.all([1, 2].map(() => knex.raw(`${left}, pg_sleep(0.1)`)))
      for (const { rows } of answers) expect(rows).toMatchObject([{ limit: '0', locks: '0' }])
    } finally {
      await knex.destroy()
    }
  })
})
