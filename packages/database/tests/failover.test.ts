import { startPostgres, startTcpProxy, type TestPostgres, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, openPool } from '../src/index.ts'

const log = { info() {}, warn() {}, error() {} }
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
    const ids = async (queries: number): Promise<readonly number[]> => {
      const answers = await Promise.all(Array.from({ length: queries }, connection))
      return answers.map(({ rows: [row] }) => row?.id)
    }
    // A connection that is opened late may find that another one has done its query.
    const before = await waitFor('ten connections', async () => {
      const used = await ids(10)
      return new Set(used).size === 10 && used
    })
    proxy.cutSilently()
    await expect(connection()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    expect((await ids(20)).filter((id) => before.includes(id))).toEqual([])
  })

  it('leaves a query alone that is at work while another one takes too long', async () => {
    await using proxy = await startTcpProxy(new URL(postgres.url))
    const knex = openPool({ kind: 'postgres', url: urlAt(proxy.port, 2000) })
    try {
      const slow = expect(knex.raw('select pg_sleep(4)')).rejects.toThrow('Query read timeout')
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
      const query = () => knex.raw('select pg_backend_pid() as id, pg_sleep(0.05)')
      const used = async () => {
        const answers = await Promise.all(Array.from({ length: 9 }, query))
        return new Set(answers.map(({ rows }) => rows[0].id)).size
      }
      await waitFor('three connections', async () => (await used()) === 3)
      expect(await used()).toBeLessThanOrEqual(3)
    } finally {
      await knex.destroy()
    }
  })
})
