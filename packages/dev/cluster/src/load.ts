import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { openStreamClient, type StreamClient } from '@taproom/chaos/stream-client'

const TIMEOUT_MS = 10_000
const RETRY_MS = 100

interface LoadOptions {
  readonly url: string
  /** Bearer token for `/secure/claim`. */
  readonly token: string
  /** GET `/secure/claim` per second. */
  readonly requestsPerSecond: number
  /** Clients of `GET /beer`, connecting again with `Last-Event-ID`. */
  readonly streams: number
  /** Greetings at the broker per second; one that is not accepted is offered again. */
  readonly eventsPerSecond: number
}

export interface LoadFigures {
  readonly requests: number
  /** Requests that were not answered 200, by what came instead. */
  readonly failed: Readonly<Record<string, number>>
  /** Ids of the events that the broker answered with 202. */
  readonly accepted: readonly string[]
  /** Answers to events that were not 202, by what came instead. */
  readonly refused: Readonly<Record<string, number>>
  readonly clients: readonly StreamClient[]
}

export interface Load extends AsyncDisposable {
  /** What was sent and answered so far. */
  readonly figures: LoadFigures
  /** Sends no more, and waits for what is under way; the streams stay until the load is disposed of. */
  settle(): Promise<void>
}

/** Keeps a system busy until it is settled or disposed of. */
export function openLoad({ url, token, ...load }: LoadOptions): Load {
  const over = new AbortController()
  const failed: Record<string, number> = {}
  const refused: Record<string, number> = {}
  const accepted: string[] = []
  let requests = 0
  const clients = Array.from({ length: load.streams }, () => openStreamClient(url))

  async function request(): Promise<void> {
    requests += 1
    const got = await answered(`${url}/secure/claim`, { headers: { authorization: `Bearer ${token}` } })
    if (got !== '200') failed[got] = (failed[got] ?? 0) + 1
  }

  async function offer(): Promise<void> {
    const id = randomUUID()
    const headers = { 'ce-id': id, 'ce-type': 'greeting', 'ce-source': '/cluster', 'ce-specversion': '1.0' }
    const init = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"message":"hello"}',
    }
    for (;;) {
      const got = await answered(`${url}/brokers/default/default`, init)
      if (got === '202') break
      refused[got] = (refused[got] ?? 0) + 1
      await delay(RETRY_MS)
    }
    accepted.push(id)
  }

  const working = [
    steadily(load.requestsPerSecond, request, over.signal),
    steadily(load.eventsPerSecond, offer, over.signal),
  ]
  const settle = async () => {
    over.abort()
    await Promise.all(working)
  }
  return {
    get figures() {
      return { requests, failed, accepted, refused, clients }
    },
    settle,
    async [Symbol.asyncDispose]() {
      await settle()
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()))
    },
  }
}

/** Begins `work` so many times a second, also while the last one is not over; resolves when all are. */
async function steadily(perSecond: number, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  const working = new Set<Promise<void>>()
  for (let count = 0; !signal.aborted; count += 1) {
    const wait = startedAt + (count / perSecond) * 1000 - performance.now()
    if (wait > 0) await delay(wait, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) break
    const one = work().finally(() => working.delete(one))
    working.add(one)
  }
  await Promise.all(working)
}

/** The answer's status, or why there was none. */
async function answered(url: string, init: RequestInit): Promise<string> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    await response.arrayBuffer()
    return String(response.status)
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return cause instanceof Error ? cause.message : String(cause)
  }
}
