import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, LONGEST_WAIT_MS, startPostgres, type TestPostgres } from '@taproom/testkit'
import type { Knex } from 'knex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ConstraintViolation,
  constraintViolation,
  type DatabaseConfig,
  DatabaseUnavailableError,
  type Migrations,
  migrate,
  openDatabase,
  whenReached,
} from '../src/index.ts'

const migrations: Migrations = {
  '0001_create_notes': {
    up: (knex) => knex.schema.createTable('notes', (table) => void table.text('text').notNullable()),
    down: (knex) => knex.schema.dropTable('notes'),
  },
  '0002_first_note': {
    up: (knex) => knex('notes').insert({ text: 'first' }),
    down: (knex) => knex('notes').delete(),
  },
}

const silent = { info() {}, warn() {}, error() {} }

let folder: string
let postgres: TestPostgres
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproom-database-'))
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

function open(database: DatabaseConfig, options: { migrateAtStart?: boolean; migrationsTable?: string } = {}) {
  const logged: string[] = []
  const write = (_fields: object, message: string) => void logged.push(message)
  const log = { info: write, warn: write, error: write }
  return Object.assign(openDatabase({ database, migrations, migrateAtStart: true, ...options, log }), { logged })
}
type Opened = ReturnType<typeof open>
const texts = (database: Opened) => database.query((knex) => knex('notes').orderBy('text').pluck('text'))

/** A table with a constraint of each kind, and one row. */
async function makeKegs(knex: Knex): Promise<void> {
  // SQLite would not drop a row that another one needs.
  if (await knex.schema.hasTable('kegs')) await knex('kegs').update({ parent: null })
  await knex.schema.dropTableIfExists('kegs')
  await knex.schema.createTable('kegs', (table) => {
    table.integer('id').primary()
    table.integer('litres').notNullable().checkPositive()
    table.text('label').unique()
    table.integer('parent').references('kegs.id').onDelete('RESTRICT')
  })
  await knex('kegs').insert({ id: 1, litres: 50, label: 'oak' })
  await knex('kegs').insert({ id: 9, litres: 50, parent: 1 })
}

describe.each<[string, () => DatabaseConfig]>([
  ['SQLite', () => ({ kind: 'sqlite', file: join(folder, 'new/folder/notes.sqlite') })],
  ['PostgreSQL', () => ({ kind: 'postgres', url: postgres.url })],
])('openDatabase with %s', (_kind, config) => {
  it('migrates once, and answers queries', async () => {
    await migrate(config(), migrations, { log: silent })
    await using database = open(config())
    await database.query((knex) => knex('notes').insert({ text: 'second' }))
    await using again = open(config())
    expect(await texts(again)).toEqual(['first', 'second'])
    expect(database.logged).toEqual([])
  })

  it('migrates once when several instances come at the same time', async () => {
    const crowd: Migrations = {
      '0001_create_crowd': {
        up: (knex) => knex.schema.createTable('crowd', (table) => void table.integer('id')),
        down: (knex) => knex.schema.dropTable('crowd'),
      },
    }
    await Promise.all([1, 2, 3].map(() => migrate(config(), crowd, { table: 'crowd_migrations', log: silent })))
    await using database = open(config(), { migrateAtStart: false })
    expect(await database.query((knex) => knex('crowd').select())).toEqual([])
  })

  it('decisions 3.79: lists the migrations of services that share it in a table each', async () => {
    await using database = open(config(), { migrationsTable: 'other_migrations', migrateAtStart: false })
    await migrate(
      config(),
      { '0001_other': { up: async () => undefined, down: async () => undefined } },
      { table: 'other_migrations', log: silent },
    )
    await migrate(config(), migrations, { log: silent })
    expect(await database.query((knex) => knex('other_migrations').pluck('name'))).toEqual(['0001_other'])
  })

  it('decisions 3.129: starts on the schema of a newer version and leaves it, so that one can go back', async () => {
    const before: Migrations = {
      '0001_create_casks': {
        up: (knex) => knex.schema.createTable('casks', (table) => void table.text('name')),
        down: (knex) => knex.schema.dropTable('casks'),
      },
    }
    const after: Migrations = {
      ...before,
      '0002_add_litres': {
        up: (knex) => knex.schema.alterTable('casks', (table) => void table.integer('litres')),
        down: (knex) => knex.schema.alterTable('casks', (table) => void table.dropColumn('litres')),
      },
    }
    for (const version of [before, after, before, after]) {
      await migrate(config(), version, { table: 'cask_migrations', log: silent })
    }
    await using database = open(config(), { migrateAtStart: false })
    await database.query((knex) => knex('casks').insert({ name: 'oak', litres: 200 }))
    expect(await database.query((knex) => knex('cask_migrations').orderBy('id').pluck('name'))).toEqual(
      Object.keys(after),
    )
  })

  it('decisions 3.129: refuses a list of migrations that has others between its own', async () => {
    const mixed = { table: 'mixed_migrations', log: silent }
    const none = { up: async () => undefined, down: async () => undefined }
    await migrate(config(), { '0001_kegs': none, '0002_of_another': none }, mixed)
    const migrated = migrate(config(), { '0001_kegs': none, '0003_taps': none }, mixed)
    await expect(migrated).rejects.toThrow('0002_of_another')
  })

  it.each<[string, ConstraintViolation | undefined, (knex: Knex) => Promise<unknown>]>([
    ['a duplicate key', 'unique', (knex) => knex('kegs').insert({ id: 1, litres: 50 })],
    ['a second of its kind', 'unique', (knex) => knex('kegs').insert({ id: 2, litres: 50, label: 'oak' })],
    ['no such parent', 'foreign-key', (knex) => knex('kegs').insert({ id: 2, litres: 50, parent: 7 })],
    ['what a check forbids', 'check', (knex) => knex('kegs').insert({ id: 2, litres: -1 })],
    ['a parent that is needed', 'foreign-key', (knex) => knex('kegs').where({ id: 1 }).delete()],
    ['nothing where something has to be', 'not-null', (knex) => knex('kegs').insert({ id: 2, litres: null })],
    ['a missing table', undefined, (knex) => knex('nothing')],
    ['what is no SQL', undefined, (knex) => knex.raw('beer, please')],
    ['an error of the caller', undefined, () => Promise.reject(new RangeError('of the caller'))],
  ])(
    'decisions 3.137: lets %s reach its caller as it is, and no other caller notice: %s',
    async (_case, violation, ask) => {
      await using database = open(config(), { migrateAtStart: false })
      await database.query(makeKegs)
      const innocent = () =>
        database.query((knex) => knex.transaction(async (transaction) => transaction('kegs').count({ rows: '*' })))
      const [failed, ...others] = await Promise.allSettled([
        database.query(ask),
        ...Array.from({ length: 20 }, innocent),
      ])
      expect(others.map(({ status }) => status)).toEqual(others.map(() => 'fulfilled'))
      expect(failed).toMatchObject({
        status: 'rejected',
        reason: expect.not.objectContaining({ name: 'DatabaseUnavailableError' }),
      })
      expect(constraintViolation((failed as PromiseRejectedResult).reason)).toBe(violation)
      await database.ping()
      expect(database.logged).toEqual([])
    },
  )
})

describe('openDatabase', () => {
  it('tells once that PostgreSQL is away, and is back by itself', async () => {
    await using database = open({ kind: 'postgres', url: postgres.url })
    await database.ping()
    await postgres.stop()
    for (const _ of [1, 2]) await expect(database.ping()).rejects.toBeInstanceOf(DatabaseUnavailableError)
    await postgres.start()
    await eventually(async () =>
      expect(
        await database.ping().then(
          () => 'up',
          () => 'down',
        ),
      ).toBe('up'),
    )
    expect(database.logged).toEqual(['database is unavailable', 'database is back'])
  })

  it('decisions 3.160: whenReached waits for PostgreSQL by queries of a database, and not when it refuses the login', async () => {
    await using database = open({ kind: 'postgres', url: postgres.url })
    await database.ping()
    await postgres.stop()
    const asked = whenReached(() => texts(database), {
      forMs: LONGEST_WAIT_MS,
      onWaiting: () => void postgres.start(),
    })
    expect(await asked).toContain('first')
    await using stranger = open({ kind: 'postgres', url: postgres.url.replace('taproom:taproom', 'stranger:taproom') })
    const refused = whenReached(() => texts(stranger), {
      forMs: LONGEST_WAIT_MS,
      onWaiting: () => expect.fail('it waits'),
    })
    await expect(refused).rejects.toBeInstanceOf(DatabaseUnavailableError)
  })

  it('reports a connection that PostgreSQL ends as an outage, and goes on', async () => {
    await using database = open({ kind: 'postgres', url: postgres.url })
    const asked = database.query((knex) => knex.raw('select pg_terminate_backend(pg_backend_pid())'))
    await expect(asked).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE', cause: expect.any(Error) })
    await database.ping()
    expect(database.logged).toEqual(['database is unavailable', 'database is back'])
  })

  it('keeps its connections while all of them are taken', async () => {
    await using database = open({ kind: 'sqlite', file: join(folder, 'taken.sqlite') })
    const held = Promise.withResolvers<void>()
    const holder = database.query((knex) =>
      knex.transaction(async (transaction) => {
        await transaction('notes').insert({ text: 'held' })
        await held.promise
      }),
    )
    await expect(database.ping()).rejects.toBeInstanceOf(DatabaseUnavailableError)
    held.resolve()
    await holder
    expect(await texts(database)).toEqual(['first', 'held'])
  })

  it('takes a full file for an outage', async () => {
    await using database = open({ kind: 'sqlite', file: join(folder, 'full.sqlite') })
    const fill = database.query(async (knex) => {
      await knex.raw('PRAGMA max_page_count = 1')
      await knex('notes').insert({ text: 'x'.repeat(100_000) })
    })
    await expect(fill).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE', cause: { code: 'SQLITE_FULL' } })
    expect(await texts(database)).toEqual(['first'])
  })

  it('notices that its file is gone, and makes it again', async () => {
    const file = join(folder, 'gone.sqlite')
    await using database = open({ kind: 'sqlite', file })
    expect(await texts(database)).toEqual(['first'])
    await rm(file)
    await expect(database.ping()).rejects.toBeInstanceOf(DatabaseUnavailableError)
    expect(await texts(database)).toEqual(['first'])
    expect(existsSync(file)).toBe(true)
  })
})

it('README: every error code is listed', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`${new DatabaseUnavailableError().code}\``)
})
