import { describe, expect, it } from 'vitest'
import { createSlots } from './slots.ts'

const never = new AbortController().signal

describe('slots', () => {
  it('gives out no more than its count', () => {
    const slots = createSlots(2)
    expect([slots.tryAcquire(), slots.tryAcquire(), slots.tryAcquire()]).toEqual([true, true, false])
    slots.release()
    expect(slots.tryAcquire()).toBe(true)
    expect(slots.inUse).toBe(2)
  })

  it('serves those who wait in turn, before newcomers', async () => {
    const slots = createSlots(1)
    slots.tryAcquire()
    const order: string[] = []
    const first = slots.acquire(never).then(() => order.push('first'))
    const second = slots.acquire(never).then(() => order.push('second'))
    slots.release()
    expect(slots.tryAcquire()).toBe(false)
    await first
    slots.release()
    await second
    expect(order).toEqual(['first', 'second'])
  })

  it('forgets a wait that was aborted', async () => {
    const slots = createSlots(1)
    slots.tryAcquire()
    const abort = new AbortController()
    const waiting = slots.acquire(abort.signal)
    abort.abort()
    expect(await waiting).toBe(false)
    slots.release()
    expect(slots.inUse).toBe(0)
    expect(await slots.acquire(AbortSignal.abort())).toBe(true)
  })

  it('tells when nothing is in use', async () => {
    const slots = createSlots(2)
    await slots.idle()
    slots.tryAcquire()
    let isIdle = false
    const idle = slots.idle().then(() => {
      isIdle = true
    })
    await Promise.resolve()
    expect(isIdle).toBe(false)
    slots.release()
    await idle
  })
})
