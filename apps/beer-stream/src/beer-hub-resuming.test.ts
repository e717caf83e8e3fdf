import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { join, makeClient, makeHub, publish } from '../tests/hub-client.ts'
import { makeRecord } from '../tests/make-record.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('BeerHub, resuming', () => {
  it('decisions 1.43: sends a client that resumes what it has missed, then what comes', () => {
    using hub = makeHub()
    publish(hub, 0, 1, 2)
    const client = join(hub, '0-0')
    publish(hub, 3)
    expect(client.offsets()).toEqual([1, 2, 3])
  })

  it('decisions 1.43: starts a client with an unknown id live', () => {
    using hub = makeHub()
    publish(hub, 0, 1)
    const clients = [join(hub, 'no id of ours'), join(hub, '0-99'), join(hub, '7-0')]
    publish(hub, 2)
    for (const client of clients) expect(client.offsets()).toEqual([2])
  })

  it('resumes a client of the instance before it without a gap, while it reads back itself', () => {
    using hub = makeHub({ begun: false })
    const resuming = join(hub, '0-4')
    const plain = join(hub)
    hub.begin([{ partition: 0, from: 2n, end: 7n }])
    publish(hub, 2, 3, 4)
    expect(resuming.offsets()).toEqual([])
    publish(hub, 5, 6)
    publish(hub, 7)
    expect(resuming.offsets()).toEqual([5, 6, 7])
    expect(plain.offsets()).toEqual([7])
  })

  it('decisions 1.43: never gives a resuming client an id that forgets what it saw in another partition', () => {
    using hub = makeHub({ begun: false })
    const ranges = [0, 1].map((partition) => ({ partition, from: 0n, end: 4n }))
    const client = join(hub, '0-1.1-2')
    hub.begin(ranges)
    // Partition 0 is read to its end before partition 1 is read at all.
    publish(hub, ...[0, 1, 2, 3].map((offset) => makeRecord(offset)))
    expect(client.ids()).toEqual(['0-2.1-2', '0-3.1-2'])
    const again = join(hub, client.ids().at(-1))
    publish(hub, ...[0, 1, 2, 3].map((offset) => makeRecord(offset, { partition: 1 })))
    for (const ids of [client.ids().slice(2), again.ids()]) expect(ids).toEqual(['0-3.1-3'])
  })

  it('lets a client that catches up take its time, without keeping more than a part for it', () => {
    using hub = makeHub()
    const name = 'x'.repeat(40_000)
    for (let i = 0; i < 5; i += 1) publish(hub, makeRecord(i, { name }))
    const client = makeClient()
    client.isFull = true
    hub.subscribe(client.connection, '0-0')
    publish(hub, makeRecord(5, { name }))
    expect(client.offsets()).toEqual([])
    expect(client.drainListeners()).toBe(1)
    client.drain()
    expect(client.offsets()).toEqual([1, 2, 3, 4, 5])
    publish(hub, 6)
    expect(client.offsets()).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('drops a client that catches up so slowly that what it needs has given way', () => {
    using hub = makeHub({ ring: { maxEvents: 3, maxBytes: 10_000 } })
    publish(hub, 0, 1, 2)
    const client = makeClient()
    client.isFull = true
    hub.subscribe(client.connection, '0-0')
    publish(hub, 3, 4, 5, 6)
    expect(client.outcome).toBe('destroyed')
    expect(hub.counters).toEqual({ clients: 0, dropped: 1, failed: 0 })
  })
})
