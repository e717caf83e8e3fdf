import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createConnection } from './connection.ts'

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
})
