import createKnex from 'knex'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEASE_MS, Lease, LeaseLostError } from './lease.ts'
import { type DatabasePort, outboxTables } from './tables.ts'

let knex: ReturnType<typeof createKnex>
beforeEach(async () => {
  knex = createKnex({ client: 'better-sqlite3', connection: { filename: ':memory:' }, useNullAsDefault: true })
  await outboxTables.up(knex)
})
afterEach(async () => await knex.destroy())

/** Two instances with a clock. */
function instances() {
  const clock = { ms: 0 }
  const lease = (query: DatabasePort['query'] = (ask) => ask(knex)) => new Lease('orders', { query }, () => clock.ms)
  return { clock, lease, first: lease(), second: lease() }
}

describe('Lease', () => {
  it('is taken from a holder that has not renewed it for its time, and not before', async () => {
    const { clock, first, second } = instances()
    const renew = () => first.note({ number: 1, rows: [] })
    expect(await first.take()).toMatchObject({ number: 0, rows: [] })
    expect(await second.take()).toBeUndefined()
    clock.ms += LEASE_MS - 1
    expect(await second.take()).toBeUndefined()
    await renew()
    clock.ms += LEASE_MS
    expect(await second.take()).toBeUndefined()
    clock.ms += LEASE_MS
    expect(await second.take()).toMatchObject({ number: 1 })
    await expect(renew()).rejects.toThrow(LeaseLostError)
    await expect(first.release()).rejects.toThrow(LeaseLostError)
  })

  it('is free once it was released, with what was noted and one id of the outbox', async () => {
    const { first, second } = instances()
    const taken = await first.take()
    await first.note({ number: 3, rows: [4, 5] })
    await first.release()
    expect(await second.take()).toEqual({ outboxId: taken?.outboxId, number: 3, rows: [4, 5] })
    expect(await first.take()).toBeUndefined()
  })

  it('is not changed by a statement that comes late, after the same instance has taken it again', async () => {
    const { lease } = instances()
    const held = Promise.withResolvers<void>()
    let isHeld = false
    const instance = lease(async (ask) => {
      if (isHeld) await held.promise
      return await ask(knex)
    })
    await instance.take()
    isHeld = true
    const late = instance.note({ number: 1, rows: [1, 2] })
    isHeld = false
    await instance.take()
    await instance.note({ number: 1, rows: [1] })
    held.resolve()
    await expect(late).rejects.toThrow(LeaseLostError)
    await instance.release()
    expect(await instance.take()).toMatchObject({ number: 1, rows: [1] })
  })

  it('is lost in time when a renewal does not end', async () => {
    const lost = new AbortController()
    const ended = new AbortController()
    let isAway = false
    const instance = instances().lease(async (ask) => {
      if (isAway) await new Promise(() => {})
      return await ask(knex)
    })
    await instance.take()
    const keeping = instance.keep(ended.signal, lost)
    isAway = true
    await keeping
    expect(lost.signal.reason).toMatchObject({ code: 'DEADLINE_EXCEEDED' })
    ended.abort()
  })
})
