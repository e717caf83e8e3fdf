/** The clients of {@link startSseCrowd}, many in one process: of an event they only look for its mark. */
import { connect, type Socket } from 'node:net'
import type { CrowdActions, CrowdReport, CrowdRequest } from './sse-crowd.ts'

/** Servers keep 511 that they have not accepted yet. */
const AT_ONCE = 400
/** To a server on this machine: each loopback address adds 28 000 source ports. */
const ADDRESSES = 100
const HASH = 0x23
const QUOTE = 0x22

interface Client {
  readonly socket: Socket
  /** Number of the next event; -1 before the first. */
  next: number
  tail: Buffer | undefined
}

const clients: Client[] = []
let report = emptyReport()
let isLeaving = false
/** Waits until this many events have come. */
let waiting: { readonly events: number; resolve(): void } | undefined

function emptyReport() {
  return { events: 0, outOfOrder: 0, closed: 0, lagMs: new Map<number, number>() }
}

function open(url: URL, index: number, isStuck: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const from = url.hostname.startsWith('127.') && { localAddress: `127.0.0.${2 + (index % ADDRESSES)}` }
    const socket = connect({ host: url.hostname, port: Number(url.port || 80), ...from, noDelay: true })
    const client: Client = { socket, next: -1, tail: undefined }
    clients.push(client)
    socket.on('error', reject)
    socket.on('close', () => {
      if (!isLeaving) report.closed += 1
    })
    socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: text/event-stream\r\n\r\n`)
    if (isStuck) {
      socket.pause()
      socket.once('connect', resolve)
      return
    }
    socket.once('data', (head) => {
      if (!String(head).startsWith('HTTP/1.1 200')) return reject(new Error(String(head).split('\r\n')[0]))
      resolve()
    })
    socket.on('data', (chunk) => read(client, chunk))
  })
}

/** Finds the marks `"#<number>@<milliseconds>"` in a chunk. */
function read(client: Client, chunk: Buffer): void {
  const bytes = client.tail === undefined ? chunk : Buffer.concat([client.tail, chunk])
  client.tail = undefined
  const now = Date.now()
  for (let at = bytes.indexOf(HASH); at >= 0; at = bytes.indexOf(HASH, at + 1)) {
    const end = bytes.indexOf(QUOTE, at)
    if (end < 0) {
      client.tail = Buffer.from(bytes.subarray(at))
      return
    }
    note(client, bytes.toString('latin1', at + 1, Math.min(end, at + 32)), now)
  }
}

function note(client: Client, mark: string, now: number): void {
  const at = mark.indexOf('@')
  const number = Number(mark.slice(0, at))
  const lagMs = Math.max(0, now - Number.parseInt(mark.slice(at + 1), 10))
  if (client.next >= 0 && number !== client.next) report.outOfOrder += 1
  client.next = number + 1
  report.events += 1
  report.lagMs.set(lagMs, (report.lagMs.get(lagMs) ?? 0) + 1)
  if (waiting !== undefined && report.events >= waiting.events) {
    waiting.resolve()
    waiting = undefined
  }
}

async function openAll(url: string, count: number, { stuck = false } = {}): Promise<void> {
  const target = new URL(url)
  for (let done = 0; done < count; done += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - done) }, () => clients.length)
    await Promise.all(some.map((first, offset) => open(target, first + offset, stuck)))
  }
}

function summary(): CrowdReport {
  const reading = clients.filter(({ next }) => next >= 0)
  const nexts = reading.map(({ next }) => next)
  return {
    events: report.events,
    outOfOrder: report.outOfOrder,
    closed: report.closed,
    reading: reading.length,
    lowestNext: nexts.reduce((low, next) => Math.min(low, next), Number.POSITIVE_INFINITY),
    lagMs: [...report.lagMs].toSorted(([a], [b]) => a - b),
  }
}

async function reached(events: number): Promise<void> {
  if (report.events >= events) return
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting = { events, resolve }
  await promise
}

/** Resets the connections: closed in order, each would keep its port for a minute. */
async function leave(): Promise<void> {
  isLeaving = true
  const closing = clients
    .splice(0)
    .map(({ socket }) => new Promise((resolve) => socket.once('close', resolve).resetAndDestroy()))
  await Promise.all(closing)
  isLeaving = false
}

const ACTIONS: CrowdActions = {
  open: openAll,
  report: async () => summary(),
  reset: async () => {
    report = emptyReport()
  },
  reach: reached,
  leave,
}

process.on('message', async ({ action, args }: CrowdRequest) => {
  try {
    const act = ACTIONS[action] as (...given: typeof args) => Promise<unknown>
    process.send?.({ value: await act(...args) })
  } catch (error) {
    process.send?.({ error: String(error) })
  }
})
