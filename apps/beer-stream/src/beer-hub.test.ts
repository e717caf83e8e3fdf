import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BeerHub } from './beer-hub.ts'
import type { BeerHubOptions, BeerRecord } from './beer-hub-options.ts'
import type { SseConnection } from './sse-connection.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const makeRecord = (offset: number, overrides: Partial<BeerRecord> = {}): BeerRecord => ({
  name: `Ale ${offset}`,
  price: 1.5,
  partition: 0,
  offset: BigInt(offset),
  timestamp: 1000 + offset,
  ...overrides,
})

/** A hub that has begun to read at offset 0, unless told otherwise. */
function makeHub(options: Partial<BeerHubOptions> & { begun?: false } = {}) {
  const { begun = true, ...hubOptions } = options
  const hub = new BeerHub({ itemWaitMs: 1250, ...hubOptions })
  if (begun) hub.begin([{ partition: 0, from: 0n, end: 0n }])
  return hub
}

/** A client as the hub sees it, whose reading the test controls. */
function makeClient() {
  const writes: string[] = []
  const onClosed: (() => void)[] = []
  const onDrained: (() => void)[] = []
  const client = {
    writes,
    outcome: 'open' as 'open' | 'ended' | 'destroyed',
    queuedBytes: 0,
    isFull: false,
    close: () => {
      for (const listener of onClosed.splice(0)) listener()
    },
    drain: () => {
      client.isFull = false
      for (const listener of onDrained.splice(0)) listener()
    },
    drainListeners: () => onDrained.length,
    /** Offsets of the beers it got, in order. */
    offsets: () => [...writes.join('').matchAll(/id: 0-(\d+)\n/g)].map((match) => Number(match[1])),
  }
  const connection: SseConnection = {
    send: ({ plain }) => {
      writes.push(String(plain))
      return client.queuedBytes === 0
    },
    get queuedBytes() {
      return client.queuedBytes
    },
    get isFull() {
      return client.isFull
    },
    onceDrained: (listener) => onDrained.push(listener),
    onceClosed: (listener) => onClosed.push(listener),
    end: () => {
      client.outcome = 'ended'
      client.close()
    },
    destroy: () => {
      client.outcome = 'destroyed'
      client.close()
    },
  }
  return Object.assign(client, { connection })
}

/** Connects a new client. */
function join(hub: BeerHub, lastEventId?: string) {
  const client = makeClient()
  hub.subscribe(client.connection, lastEventId)
  return client
}

/** Publishes beers and lets the hub send them. */
function publish(hub: BeerHub, ...records: (number | BeerRecord)[]) {
  for (const record of records) void hub.publish(typeof record === 'number' ? makeRecord(record) : record)
  vi.advanceTimersByTime(0)
}

describe('BeerHub, sending', () => {
  it('contract 6.3: sends each priced beer to every client, from connecting on', () => {
    using hub = makeHub()
    const first = join(hub)
    publish(hub, 0)
    const second = join(hub)
    publish(hub, 1)
    expect(first.writes).toEqual([
      'retry: 1000\n\n',
      'id: 0-0\ndata: {"name":"Ale 0","price":1.50}\n\n',
      'id: 0-1\ndata: {"name":"Ale 1","price":1.50}\n\n',
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

  it('goes on when the topic was made anew and counts from 0 again', () => {
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

  it('keeps a quiet stream alive with comments', () => {
    using hub = makeHub({ itemWaitMs: 60_000, heartbeatMs: 10_000 })
    const client = join(hub)
    vi.advanceTimersByTime(20_000)
    expect(client.writes.slice(1)).toEqual([': heartbeat\n\n', ': heartbeat\n\n'])
  })
})

describe('BeerHub, resuming', () => {
  it('decisions 1.43: sends a client that resumes what it has missed, then what comes', () => {
    using hub = makeHub()
    publish(hub, 0, 1, 2)
    const client = join(hub, '0-0')
    publish(hub, 3)
    expect(client.offsets()).toEqual([1, 2, 3])
  })

  it('lead: starts a client with an unknown id live', () => {
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

  it('lets a client that catches up take its time, without keeping more than a part for it', () => {
    using hub = makeHub()
    const name = 'x'.repeat(40_000)
    for (let i = 0; i < 5; i++) publish(hub, makeRecord(i, { name }))
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

describe('BeerHub, ending', () => {
  it('gives a client the time that its own process was held up, once', () => {
    using hub = makeHub()
    const client = join(hub)
    // The process stands still: the clock goes on, the timer fires 400 ms late.
    const now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 1650)
    vi.advanceTimersByTime(1250)
    expect(client.outcome).toBe('open')
    clock.mockImplementation(() => now + 2050)
    vi.advanceTimersByTime(400)
    expect(client.outcome).toBe('ended')
    clock.mockRestore()
  })

  it('decisions 1.39: ends a stream to which no item comes, after one stream-error that tells why', () => {
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

  it('decisions 1.40: counts the wait from the last item on, each time anew', () => {
    using hub = makeHub()
    const client = join(hub)
    for (let offset = 0; offset < 5; offset++) {
      vi.advanceTimersByTime(1200)
      publish(hub, offset)
    }
    vi.advanceTimersByTime(1249)
    expect(client.outcome).toBe('open')
    vi.advanceTimersByTime(1)
    expect(client.outcome).toBe('ended')
  })

  it('lead: waits the same time for a client that comes before anything is read', () => {
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
    slow.queuedBytes++
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

  it('decisions 1.75: ends every stream with a retry hint when it is disposed of, and takes no client more', () => {
    const hub = makeHub()
    const waiting = makeHub({ begun: false })
    const client = join(hub)
    void hub.publish(makeRecord(0))
    const early = join(waiting)
    hub[Symbol.dispose]()
    waiting[Symbol.dispose]()
    expect(client.offsets()).toEqual([0])
    expect(client.writes.at(-1)).toBe('retry: 1000\n\n')
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
