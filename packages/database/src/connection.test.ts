import { pause } from '@taproom/core/time'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createConnection } from './connection.ts'
import { whenReached } from './when-reached.ts'

const log = { info: vi.fn(), error: vi.fn() }

describe('createConnection', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('decisions 3.166: lets callers wait for ten seconds while a migration runs, which goes on', async () => {
    const migrated = Promise.withResolvers<string>()
    const prepare = vi.fn(() => migrated.promise)
    const { run } = createConnection({ kind: 'postgres', log, prepare })
    const early = expect(run(async () => 'early')).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      cause: { message: 'preparing the database took longer than 10000 ms' },
    })
    await vi.advanceTimersByTimeAsync(10_000)
    await early
    expect(log.error).toHaveBeenCalledWith(expect.anything(), 'database is being migrated')
    const late = run(async (queries) => queries)
    migrated.resolve('migrated')
    expect(await late).toBe('migrated')
    expect(prepare).toHaveBeenCalledTimes(1)
    expect(log.info).toHaveBeenCalledWith({ database: 'postgres' }, 'database is back')
  })

  it('decisions 3.166: prepares at most every half second, so that a migration that fails does not run with each request', async () => {
    const prepare = vi.fn(async () => {
      throw new Error('the migration')
    })
    const { run } = createConnection({ kind: 'postgres', log, prepare })
    const ask = () => expect(run(async () => undefined)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    for (const _ of [1, 2, 3]) await ask()
    expect(prepare).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(500)
    for (const _ of [1, 2, 3]) await ask()
    expect(prepare).toHaveBeenCalledTimes(2)
  })

  it('decisions 3.166: prepares less often each time that a migration fails, which holds up others while it waits for a lock', async () => {
    const prepare = vi.fn(async () => {
      throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
    })
    const { run } = createConnection({ kind: 'postgres', log, prepare })
    for (let second = 0; second < 120; second += 0.5) {
      await run(async () => undefined).catch(() => undefined)
      await vi.advanceTimersByTimeAsync(500)
    }
    expect(prepare).toHaveBeenCalledTimes(8)
  })

  it('prepares every half second while the database is away', async () => {
    const prepare = vi.fn(async () => {
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    })
    const { run } = createConnection({ kind: 'postgres', log, prepare })
    for (let times = 0; times < 20; times += 1) {
      await run(async () => undefined).catch(() => undefined)
      await vi.advanceTimersByTimeAsync(500)
    }
    expect(prepare).toHaveBeenCalledTimes(20)
  })

  it('takes a query that takes too long over new connections, too, for the one at fault', async () => {
    const { run } = createConnection({ kind: 'postgres', log, prepare: async () => undefined })
    const slow = async () => {
      await pause(5000)
      throw new Error('select 1 - Query read timeout')
    }
    const areTransient = async (asked: readonly Promise<unknown>[]) => {
      const settled = Promise.allSettled(asked)
      await vi.advanceTimersByTimeAsync(6000)
      return (await settled).map((outcome) => outcome.status === 'rejected' && outcome.reason.isTransient)
    }
    const cut = [run(slow)]
    await vi.advanceTimersByTimeAsync(1000)
    expect(await areTransient([...cut, run(slow)])).toEqual([true, true])
    expect(await areTransient([run(slow)])).toEqual([false])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await areTransient([run(slow)])).toEqual([true])
  })

  it('decisions 3.166: prepares nothing after a stop', async () => {
    const prepare = vi.fn(async () => 'queries')
    const { run, stop } = createConnection({ kind: 'postgres', log, prepare })
    await run(async () => undefined)
    await stop()
    const closed = async () => {
      throw new Error('Unable to acquire a connection')
    }
    for (const _ of [1, 2]) await expect(run(closed)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    expect(prepare).toHaveBeenCalledTimes(1)
  })

  it('whenReached waits for a migration of its own service', async () => {
    const { run } = createConnection({ kind: 'postgres', log, prepare: () => pause(25_000) })
    const asked = whenReached(() => run(async () => 'migrated'), { forMs: 60_000, onWaiting: () => undefined })
    const migrated = expect(asked).resolves.toBe('migrated')
    await vi.advanceTimersByTimeAsync(30_000)
    await migrated
  })
})
