import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hang } from '../tests/calls.ts'
import { createGuard } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('bulkhead', () => {
  it('runs `value` calls, lets `waitingTaskQueue` wait in order and refuses the next', async () => {
    const guard = createGuard({ name: 'film', bulkhead: { value: 1, waitingTaskQueue: 2 } })
    const first = Promise.withResolvers<void>()
    const order: string[] = []
    const results = [
      guard.execute(() => first.promise),
      guard.execute(async () => void order.push('second')),
      guard.execute(async () => void order.push('third')),
    ]
    await expect(guard.execute(hang)).rejects.toMatchObject({ code: 'FT_BULKHEAD_FULL' })
    expect(order).toEqual([])
    first.resolve()
    await Promise.all(results)
    expect(order).toEqual(['second', 'third'])
  })

  it('lets no newcomer overtake or push out a call that waits', async () => {
    const guard = createGuard({ name: 'film', bulkhead: { value: 1, waitingTaskQueue: 1 } })
    const first = Promise.withResolvers<void>()
    const order: string[] = []
    const running = guard.execute(() => first.promise)
    const waiting = guard.execute(async () => void order.push('waiting'))
    const newcomers = first.promise
      .then(() => undefined)
      .then(() => undefined)
      .then(() =>
        Promise.allSettled([1, 2].map((number) => guard.execute(async () => void order.push(`newcomer ${number}`)))),
      )
    first.resolve()
    await Promise.all([running, waiting, newcomers])
    expect(order[0]).toBe('waiting')
  })

  it('ends the wait of a caller who gives up', async () => {
    const guard = createGuard({ name: 'film', bulkhead: { value: 1, waitingTaskQueue: 1 } })
    const first = Promise.withResolvers<void>()
    const running = guard.execute(() => first.promise)
    const caller = new AbortController()
    const call = vi.fn()
    const outcome = expect(guard.execute(call, caller.signal)).rejects.toBe('gone')
    caller.abort('gone')
    await outcome
    first.resolve()
    await running
    expect(await guard.execute(async () => 'next')).toBe('next')
    expect(call).not.toHaveBeenCalled()
  })

  it('lets another call wait in the place of a caller who gives up', async () => {
    const guard = createGuard({ name: 'film', bulkhead: { value: 1, waitingTaskQueue: 1 } })
    const first = Promise.withResolvers<void>()
    const running = guard.execute(() => first.promise)
    const caller = new AbortController()
    const outcome = expect(guard.execute(hang, caller.signal)).rejects.toBe('gone')
    caller.abort('gone')
    await outcome
    const next = guard.execute(async () => 'next')
    first.resolve()
    await running
    expect(await next).toBe('next')
  })
})
