import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { join, makeHub, publish } from '../tests/hub-client.ts'
import { makeRecord } from '../tests/make-record.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('BeerHub, sending', () => {
  it('contract 6.3: sends each priced beer to every client, from connecting on', () => {
    using hub = makeHub()
    const first = join(hub)
    publish(hub, 0)
    const second = join(hub)
    publish(hub, 1)
    expect(first.writes).toEqual([
      'retry: 1000\n',
      'id: 0-0\ndata: {"name":"Ale 0","price":12.50}\n\n',
      'id: 0-1\ndata: {"name":"Ale 1","price":12.50}\n\n',
    ])
    expect(second.offsets()).toEqual([1])
  })

  it('joins what comes within one turn of the event loop into one write', () => {
    using hub = makeHub()
    const client = join(hub)
    publish(hub, 0, 1, 2)
    expect(client.writes).toHaveLength(2)
    expect(client.offsets()).toEqual([0, 1, 2])
  })

  it('does not send a client what was published just before it connected', () => {
    using hub = makeHub()
    void hub.publish(makeRecord(0))
    const client = join(hub)
    publish(hub, 1)
    expect(client.offsets()).toEqual([1])
  })

  it('asks for a turn of the event loop after 64 KiB, which have gone out by then', async () => {
    using hub = makeHub()
    const client = join(hub)
    const name = 'x'.repeat(1024)
    const answers = Array.from({ length: 100 }, (_, i) => hub.publish(makeRecord(i, { name })))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(client.offsets().length).toBeGreaterThan(60)
    vi.advanceTimersByTime(0)
    await Promise.all(answers)
    expect(client.offsets()).toHaveLength(100)
  })

  it('leaves out a record that is read again', () => {
    using hub = makeHub()
    const client = join(hub)
    publish(hub, 0, 1, 0, 1, 2)
    expect(client.offsets()).toEqual([0, 1, 2])
  })

  it('goes on when the topic was recreated and counts from 0 again', () => {
    using hub = makeHub()
    const client = join(hub)
    publish(hub, 0, 1, 2, makeRecord(0, { timestamp: 5000 }), makeRecord(1, { timestamp: 5001 }))
    expect(client.offsets()).toEqual([0, 1, 2, 0, 1])
    expect(join(hub, '0-0').offsets()).toEqual([1])
  })

  it('sends nothing old when reading begins further back than was said', () => {
    using hub = makeHub({ begun: false })
    const client = join(hub)
    hub.begin([{ partition: 0, from: 3n, end: 4n }])
    publish(hub, 0, 1, 2, 3, 4)
    expect(client.offsets()).toEqual([4])
    expect(join(hub, '0-1').offsets()).toEqual([2, 3, 4])
  })

  it('decisions 3.8: keeps a quiet stream alive with comments', () => {
    using hub = makeHub({ itemWaitMs: 60_000, heartbeatMs: 10_000 })
    const client = join(hub)
    vi.advanceTimersByTime(20_000)
    expect(client.writes.slice(1)).toEqual([': heartbeat\n', ': heartbeat\n'])
  })

  it('decisions 3.8: sends no block without data', () => {
    using hub = makeHub({ itemWaitMs: 60_000, heartbeatMs: 10_000 })
    const client = join(hub)
    vi.advanceTimersByTime(10_000)
    publish(hub, 0)
    vi.advanceTimersByTime(10_000)
    publish(hub, 1)
    const blocks = client.writes.join('').split('\n\n')
    expect(blocks.pop()).toBe('')
    expect(blocks.map((block) => block.match(/^data: /gm)?.length)).toEqual([1, 1])
  })
})
