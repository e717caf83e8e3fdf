import { vi } from 'vitest'
import { BeerHub } from '../src/beer-hub.ts'
import type { BeerHubOptions, BeerRecord } from '../src/beer-hub-options.ts'
import type { SseConnection } from '../src/sse-connection.ts'
import { makeRecord } from './make-record.ts'

/** A hub that has begun to read at offset 0 by default. */
export function makeHub(options: Partial<BeerHubOptions> & { begun?: false } = {}) {
  const { begun = true, ...hubOptions } = options
  const hub = new BeerHub({ itemWaitMs: 1250, ...hubOptions })
  if (begun) hub.begin([{ partition: 0, from: 0n, end: 0n }])
  return hub
}

/** A client as the hub sees it, whose reading the test controls. */
export function makeClient() {
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
    /** Ids received, in order. */
    ids: () => [...writes.join('').matchAll(/^id: (.+)$/gm)].map((match) => match[1]),
    /** Offsets received of partition 0, in order. */
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
    drop: () => {
      client.outcome = 'destroyed'
      client.close()
    },
  }
  return Object.assign(client, { connection })
}

export function join(hub: BeerHub, lastEventId?: string) {
  const client = makeClient()
  hub.subscribe(client.connection, lastEventId)
  return client
}

/** Also lets the hub send them; needs fake timers. */
export function publish(hub: BeerHub, ...records: (number | BeerRecord)[]) {
  for (const record of records) void hub.publish(typeof record === 'number' ? makeRecord(record) : record)
  vi.advanceTimersByTime(0)
}
