import { randomBytes } from 'node:crypto'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openInbox } from '../src/index.ts'
import { SEEN } from '../src/tables.ts'
import { postgres, silentLog, sqlite, type TestDatabase } from './databases.ts'

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
])('openInbox with %s', (_kind, start) => {
  let databases: TestDatabase
  let database: ReturnType<TestDatabase['connect']>
  beforeAll(async () => {
    databases = await start()
    database = databases.connect()
  })
  afterAll(async () => await databases[Symbol.asyncDispose]())

  it('decisions 3.151: says of an id once that it is new, to each consumer, and again after a rollback', async () => {
    await using billing = openInbox({ consumer: 'billing', database, log: silentLog })
    await using stock = openInbox({ consumer: 'stock', database, log: silentLog })
    const once = (inbox: typeof billing, id: string) => database.knex.transaction((trx) => inbox.once(trx, id))
    const failed = database.knex.transaction(async (trx) => {
      expect(await billing.once(trx, '/orders 1')).toBe(true)
      throw new Error('no stock')
    })
    await expect(failed).rejects.toThrow('no stock')
    expect(await once(billing, '/orders 1')).toBe(true)
    expect(await once(billing, '/orders 1')).toBe(false)
    expect(await once(stock, '/orders 1')).toBe(true)
  })

  it('takes an id of any 1024 bytes, and refuses others before the database does', async () => {
    await using inbox = openInbox({ consumer: 'c'.repeat(255), database, log: silentLog })
    const once = (id: string) => database.knex.transaction((trx) => inbox.once(trx, id))
    // Random bytes: PostgreSQL compresses what repeats, and its index has a limit.
    expect(await once(randomBytes(512).toString('hex'))).toBe(true)
    await expect(once('')).rejects.toThrow(RangeError)
    await expect(once('x'.repeat(1025))).rejects.toThrow('received 1025')
    await expect(once('ü'.repeat(513))).rejects.toThrow('received 1026')
    await expect(once('a\0b')).rejects.toThrow('NUL')
  })

  it.each(['', 'c'.repeat(256), 'a\0b'])('refuses the consumer %j', (consumer) => {
    expect(() => openInbox({ consumer, database, log: silentLog })).toThrow(RangeError)
  })

  it('lets one of several transactions act that see an id at the same time', async () => {
    await using inbox = openInbox({ consumer: 'crowd', database, log: silentLog })
    const seen = await Promise.all(
      Array.from({ length: 8 }, () => database.knex.transaction((trx) => inbox.once(trx, '/orders 2'))),
    )
    expect(seen.filter((isNew) => isNew)).toHaveLength(1)
  })

  it('deletes ids that are older than keepMs', async () => {
    const old = Array.from({ length: 1500 }, (_, index) => ({ consumer: 'old', id: `${index}`, seen_ms: 5 }))
    // SQLite takes few rows of an insert that names its columns.
    for (let at = 0; at < old.length; at += 250) await database.knex(SEEN).insert(old.slice(at, at + 250))
    await using _inbox = openInbox({ consumer: 'old', database, keepMs: 60_000, log: silentLog })
    await waitFor('the end of old ids', async () => {
      const [left] = await database.knex(SEEN).where({ consumer: 'old' }).count({ rows: '*' })
      return Number(left?.['rows']) === 0
    })
  })
})
