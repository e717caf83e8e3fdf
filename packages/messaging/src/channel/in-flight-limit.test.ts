import { describe, expect, it } from 'vitest'
import { InFlightLimit } from './in-flight-limit.ts'

const never = new AbortController().signal

describe('inFlightLimit', () => {
  it('gives out no more than its count', () => {
    const limit = new InFlightLimit(2)
    expect([limit.tryAcquire(), limit.tryAcquire(), limit.tryAcquire()]).toEqual([true, true, false])
    limit.release()
    expect(limit.tryAcquire()).toBe(true)
    expect(limit.tryAcquire()).toBe(false)
  })

  it('serves those who wait in turn, before newcomers', async () => {
    const limit = new InFlightLimit(1)
    limit.tryAcquire()
    const order: string[] = []
    const first = limit.acquire(never).then(() => order.push('first'))
    const second = limit.acquire(never).then(() => order.push('second'))
    limit.release()
    expect(limit.tryAcquire()).toBe(false)
    await first
    limit.release()
    await second
    expect(order).toEqual(['first', 'second'])
  })

  it('forgets a wait that was aborted', async () => {
    const limit = new InFlightLimit(1)
    limit.tryAcquire()
    const abort = new AbortController()
    const waiting = limit.acquire(abort.signal)
    abort.abort()
    expect(await waiting).toBe(false)
    limit.release()
    await limit.idle()
    expect(await limit.acquire(AbortSignal.abort())).toBe(true)
  })

  it('resolves idle when nothing is in use', async () => {
    const limit = new InFlightLimit(2)
    await limit.idle()
    limit.tryAcquire()
    let isIdle = false
    const idle = limit.idle().then(() => {
      isIdle = true
    })
    await Promise.resolve()
    expect(isIdle).toBe(false)
    limit.release()
    await idle
  })

  it('gives out no more bytes than there are, but a place to anything that is alone', async () => {
    const limit = new InFlightLimit(10, 100)
    expect(limit.tryAcquire(500)).toBe(true)
    expect(limit.tryAcquire(1)).toBe(false)
    limit.release(500)
    expect([limit.tryAcquire(60), limit.tryAcquire(40), limit.tryAcquire(1)]).toEqual([true, true, false])
    const large = limit.acquire(AbortSignal.timeout(60_000), 80)
    // In turn: what would fit does not overtake what waits.
    limit.release(40)
    expect(limit.tryAcquire(1)).toBe(false)
    limit.release(60)
    expect(await large).toBe(true)
    expect([limit.tryAcquire(21), limit.tryAcquire(20)]).toEqual([false, true])
  })

  it('lets those behind one that gave up have what it waited for', async () => {
    const limit = new InFlightLimit(10, 100)
    limit.tryAcquire(60)
    const gone = new AbortController()
    const large = limit.acquire(gone.signal, 80)
    const small = limit.acquire(AbortSignal.timeout(60_000), 40)
    gone.abort()
    expect([await large, await small]).toEqual([false, true])
  })
})
