import { startPostgres, type TestPostgres, waitFor } from '@taproom/testkit'
import type { Knex } from 'knex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, openPool } from '../src/index.ts'

const log = { info() {}, warn() {}, error() {} }
let postgres: TestPostgres
let knex: Knex
beforeAll(async () => {
  postgres = await startPostgres()
  knex = openPool({ kind: 'postgres', url: postgres.url })
})
afterAll(async () => {
  await knex?.destroy()
  await postgres?.[Symbol.asyncDispose]()
})

async function urlOfNew(name: string, limit: string): Promise<URL> {
  await knex.raw(`create database ${name}`)
  await knex.raw(`alter database ${name} set ${limit}`)
  return Object.assign(new URL(postgres.url), { pathname: `/${name}` })
}

describe('decisions 3.166: a query that takes too long', () => {
  it('ends at the server, and has no effect, where the database looks after its connections as that of deploy/ does', async () => {
    const url = await urlOfNew('checked', `client_connection_check_interval = '1s'`)
    const owner = openPool({ kind: 'postgres', url: url.href })
    const pool = openPool({ kind: 'postgres', url: `${url.href}?query_timeout=300`, poolMax: 3 })
    const running = async () => {
      const { rows } = await owner.raw(
        `select count(*)::int as n from pg_stat_activity where query like 'update kegs%' and state = 'active'`,
      )
      return rows[0].n
    }
    try {
      await owner.raw('create table kegs as select 1 as litres')
      const lock = await owner.transaction()
      await lock.raw('lock table kegs in access exclusive mode')
      for (let round = 0; round < 5; round += 1) {
        const updates = [1, 2, 3].map(() => pool.raw('update kegs set litres = litres + 1'))
        for (const { status } of await Promise.allSettled(updates)) expect(status).toBe('rejected')
      }
      await waitFor('the end of all', async () => {
        await Promise.allSettled([1, 2, 3].map(() => pool.raw('select 1')))
        return (await running()) === 0
      })
      await lock.commit()
      expect(await owner('kegs').pluck('litres')).toEqual([1])
    } finally {
      await Promise.all([pool.destroy(), owner.destroy()])
    }
  })

  it('fails as a query, for which a channel asks its failure strategy, by a limit of the database', async () => {
    const url = await urlOfNew('limited', `statement_timeout = '100ms'`)
    await using database = openDatabase({
      database: { kind: 'postgres', url: url.href },
      migrations: {},
      migrateAtStart: false,
      log,
    })
    const asked = database.query((queries) => queries.raw('select pg_sleep(60)'))
    await expect(asked).rejects.toMatchObject({ code: '57014' })
    await expect(asked).rejects.not.toHaveProperty('isTransient')
  })
})
