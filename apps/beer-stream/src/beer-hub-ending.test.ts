import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { join, makeHub, publish } from '../tests/hub-client.ts'
import { makeRecord } from '../tests/make-record.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('BeerHub, ending', () => {
  it('gives a client the time that its own process was held up, once', () => {
    using hub = makeHub()
    const client = join(hub)
    // The process was suspended: the clock goes on, the timer fires 400 ms late.
    const now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 1650)
    vi.advanceTimersByTime(1250)
    expect(client.outcome).toBe('open')
    clock.mockImplementation(() => now + 2050)
    vi.advanceTimersByTime(400)
    expect(client.outcome).toBe('ended')
    clock.mockRestore()
  })

  it('decisions 1.39: ends a stream to which no item comes, after one stream-error that says why', () => {
    using hub = makeHub()
    const client = join(hub)
    vi.advanceTimersByTime(1249)
    expect(client.outcome).toBe('open')
    vi.advanceTimersByTime(1)
    expect(client.outcome).toBe('ended')
    const last = client.writes.at(-1) ?? ''
    expect(last).toMatch(/^event: stream-error\ndata: \{.*\}\n\n$/)
    expect(JSON.parse(last.slice(last.indexOf('{')))).toEqual({
      type: 'about:blank',
      title: 'Gateway Timeout',
      status: 504,
      detail: 'no priced beer arrived within 1250 ms',
    })
    expect(hub.counters).toEqual({ clients: 0, dropped: 0, failed: 1 })
  })

  it('decisions 1.40: counts the wait from the last item on, after each one', () => {
    using hub = makeHub()
    const client = join(hub)
    for (let offset = 0; offset < 5; offset += 1) {
      vi.advanceTimersByTime(1200)
      publish(hub, offset)
    }
    vi.advanceTimersByTime(1249)
    expect(client.outcome).toBe('open')
    vi.advanceTimersByTime(1)
    expect(client.outcome).toBe('ended')
  })

  it('decisions 2.10: waits the same time for a client that comes before anything is read', () => {
    using hub = makeHub({ begun: false })
    const client = join(hub, '0-1')
    vi.advanceTimersByTime(1250)
    expect(client.outcome).toBe('ended')
    expect(hub.counters.clients).toBe(0)
  })

  it('decisions 1.41: drops a client with more than 1 MiB queued; others notice nothing', () => {
    using hub = makeHub()
    const [slow, quick] = [join(hub), join(hub)]
    slow.queuedBytes = 1024 * 1024
    publish(hub, 0)
    expect(slow.outcome).toBe('open')
    slow.queuedBytes += 1
    publish(hub, 1)
    expect(slow.outcome).toBe('destroyed')
    publish(hub, 2)
    expect(quick.offsets()).toEqual([0, 1, 2])
    expect(hub.counters).toEqual({ clients: 1, dropped: 1, failed: 0 })
  })

  it('frees everything of a client that leaves', () => {
    using hub = makeHub({ heartbeatMs: 1_000_000 })
    const timers = vi.getTimerCount()
    const client = join(hub)
    expect(vi.getTimerCount()).toBe(timers + 1)
    client.close()
    publish(hub, 0)
    expect(client.writes).toHaveLength(1)
    expect(hub.counters.clients).toBe(0)
    expect(vi.getTimerCount()).toBe(timers)
  })

  it('decisions 1.75: ends every stream when it is disposed of, and takes no client more', () => {
    const hub = makeHub()
    const waiting = makeHub({ begun: false })
    const client = join(hub)
    void hub.publish(makeRecord(0))
    const early = join(waiting)
    hub[Symbol.dispose]()
    waiting[Symbol.dispose]()
    expect(client.offsets()).toEqual([0])
    expect([client.outcome, early.outcome]).toEqual(['ended', 'ended'])
    expect(hub.hasRoom).toBe(false)
    vi.advanceTimersByTime(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('has room for so many clients and no more', () => {
    using hub = makeHub({ maxClients: 2 })
    const client = join(hub)
    join(hub)
    expect(hub.hasRoom).toBe(false)
    client.close()
    expect(hub.hasRoom).toBe(true)
  })
})
