import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type DatabasePort, type Destination, type Outbox, openOutbox } from '../src/index.ts'
import { LEASES, ROWS } from '../src/tables.ts'
import { silentLog, type TestDatabase } from './databases.ts'

export const CHANNEL = 'orders'

/** Opens outboxes in the tests of a suite, on one database that is empty before each. */
export function useOutboxes(start: () => Promise<TestDatabase>) {
  let databases: TestDatabase
  let connected: ReturnType<TestDatabase['connect']>
  beforeAll(async () => {
    databases = await start()
    connected = databases.connect()
  })
  afterAll(async () => await databases[Symbol.asyncDispose]())
  beforeEach(async () => {
    for (const table of [ROWS, LEASES]) await connected.knex(table).delete()
  })

  const database: DatabasePort = { query: (ask) => ask(connected.knex) }
  const inTransaction = <T>(work: (trx: Knex.Transaction) => Promise<T>) => connected.knex.transaction(work)
  return {
    database,
    /** As another instance has it. */
    connect: () => databases.connect(),
    /** All rows of the table. */
    rows: () => connected.knex(ROWS),
    lease: () => connected.knex(LEASES).where({ channel: CHANNEL }),
    open: (destination: Destination, options: { maxWaiting?: number; on?: DatabasePort } = {}) => {
      const { on = database, ...others } = options
      return openOutbox({ channel: CHANNEL, database: on, destination, log: silentLog, ...others })
    },
    inTransaction,
    /** Sends texts in one transaction, each with its first character as the key. */
    send: (outbox: Outbox, ...texts: readonly string[]) =>
      inTransaction(async (trx) => {
        for (const text of texts) await outbox.send(trx, { key: text.slice(0, 1), value: text })
      }),
    rowCount: async () => Number((await connected.knex(ROWS).count({ rows: '*' }))[0]?.['rows']),
    healthOf: async (outbox: Outbox) => await outbox.check.check(AbortSignal.timeout(30_000)),
  }
}
