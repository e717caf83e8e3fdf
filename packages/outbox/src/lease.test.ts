import createKnex from 'knex'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEASE_MS, Lease, LeaseLostError } from './lease.ts'
import { outboxTables } from './tables.ts'

let knex: ReturnType<typeof createKnex>
beforeEach(async () => {
  knex = createKnex({ client: 'better-sqlite3', connection: { filename: ':memory:' }, useNullAsDefault: true })
  await outboxTables.up(knex)
})
afterEach(async () => await knex.destroy())

/** Two instances with a clock. */
function instances() {
  const clock = { ms: 0 }
  const lease = () => new Lease('orders', { query: (ask) => ask(knex) }, () => clock.ms)
  return { clock, first: lease(), second: lease() }
}

describe('Lease', () => {
  it('is taken from a holder that has not renewed it for its time, and not before', async () => {
    const { clock, first, second } = instances()
    expect(await first.take()).toBe(true)
    expect(await second.take()).toBe(false)
    clock.ms += LEASE_MS - 1
    expect(await second.take()).toBe(false)
    await first.renew()
    clock.ms += LEASE_MS
    expect(await second.take()).toBe(false)
    clock.ms += LEASE_MS
    expect(await second.take()).toBe(true)
    await expect(first.renew()).rejects.toThrow(LeaseLostError)
    await expect(first.note({ number: 9, rows: [1] })).rejects.toThrow(LeaseLostError)
    expect((await second.noted()).number).toBe(0)
  })

  it('is free once it was released', async () => {
    const { first, second } = instances()
    await first.take()
    await first.note({ number: 3, rows: [4, 5] })
    await first.release()
    expect(await second.take()).toBe(true)
    expect(await second.noted()).toMatchObject({ number: 3, rows: [4, 5] })
    expect(await first.take()).toBe(false)
  })

  it('has one id of the outbox for all instances', async () => {
    const { first, second } = instances()
    await first.take()
    expect((await second.noted()).outboxId).toBe((await first.noted()).outboxId)
  })
})
