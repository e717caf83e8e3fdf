import { startPostgres, startTcpProxy, type TestPostgres } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, openPool } from '../src/index.ts'

const log = { info() {}, error() {} }
let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres?.[Symbol.asyncDispose]())

/** With a limit that a test can wait for. */
const urlAt = (port: string, limitMs: number) =>
  Object.assign(new URL(postgres.url), { port, search: `?query_timeout=${limitMs}` }).href

describe('decisions 3.166: a failover that cuts all connections silently', () => {
  it('costs one request, not one for each connection', async () => {
    await using proxy = await startTcpProxy(new URL(postgres.url))
    await using database = openDatabase({
      database: { kind: 'postgres', url: urlAt(proxy.port, 4000) },
      migrations: {},
      migrateAtStart: false,
      log,
    })
    const connection = () => database.query((knex) => knex.raw('select pg_backend_pid() as id, pg_sleep(0.1)'))
    const idOf = ({ rows: [row] }: { rows: { id: number }[] }) => row?.id
    const before = await Promise.all(Array.from({ length: 10 }, connection))
    expect(new Set(before.map(idOf)).size).toBe(10)
    proxy.cutSilently()
    await expect(connection()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    const after = await Promise.all(Array.from({ length: 20 }, connection))
    expect(after.map(idOf).filter((id) => before.map(idOf).includes(id))).toEqual([])
  })

  it('leaves a query alone that is at work while another one takes too long', async () => {
    await using proxy = await startTcpProxy(new URL(postgres.url))
    const knex = openPool({ kind: 'postgres', url: urlAt(proxy.port, 500) })
    try {
      const slow = expect(knex.raw('select pg_sleep(1)')).rejects.toThrow('Query read timeout')
      const transaction = await knex.transaction()
      await slow
      const { rows } = await transaction.raw('select 1 as one')
      await transaction.commit()
      expect(rows).toEqual([{ one: 1 }])
    } finally {
      await knex.destroy()
    }
  })
})

describe('openPool', () => {
  it('has as many connections as it is given', async () => {
    const knex = openPool({ kind: 'postgres', url: postgres.url, poolMax: 3 })
    try {
      const answers = await Promise.all(
        Array.from({ length: 9 }, () => knex.raw('select pg_backend_pid() as id, pg_sleep(0.05)')),
      )
      expect(new Set(answers.map(({ rows }) => rows[0].id)).size).toBe(3)
    } finally {
      await knex.destroy()
    }
  })
})
