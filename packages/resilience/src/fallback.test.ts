import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { failure, flaky } from '../tests/calls.ts'
import { createGuard } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('fallback', () => {
  it('is given the failure and stands in for it', async () => {
    const guard = createGuard({ name: 'film', fallback: { handler: (error) => ({ because: error }) } })
    expect(await guard.execute(flaky(1))).toEqual({ because: failure })
    expect(await guard.execute(flaky(0))).toBe('value')
  })

  it('lets pass what applyOn does not list, and skipOn wins', async () => {
    const guard = createGuard({
      name: 'film',
      fallback: {
        handler: () => 'instead',
        applyOn: [TypeError, RangeError],
        skipOn: (error) => error instanceof RangeError,
      },
    })
    const failWith = (error: Error) => guard.execute(() => Promise.reject(error))
    expect(await failWith(new TypeError())).toBe('instead')
    await expect(failWith(new RangeError())).rejects.toBeInstanceOf(RangeError)
    await expect(failWith(new SyntaxError())).rejects.toBeInstanceOf(SyntaxError)
  })

  it('passes on what its handler throws', async () => {
    const guard = createGuard({ name: 'film', fallback: { handler: () => Promise.reject(new TypeError('handler')) } })
    await expect(guard.execute(flaky(1))).rejects.toThrow('handler')
  })
})
