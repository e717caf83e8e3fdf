import type { Socket } from 'node:net'
import { afterEach, beforeEach, vi } from 'vitest'
import { HttpClient, type HttpClientOptions, type HttpRequest } from '../src/index.ts'
import { textOf } from './client-peers.ts'
import { requestsIn, startBackend } from './raw-peers.ts'

interface Carried {
  readonly socket: Socket
  /** Of all requests that came over the connection. */
  paths: readonly string[]
  answered: number
}

/** An answer whose body is the path. */
export const echo = (path: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`

/** How long answers take decides what is pipelined: none in these tests, unless one says so. */
export function stopClock(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['hrtime'] }))
  afterEach(() => void vi.useRealTimers())
}

/** A client, and a service that answers when the test says so. */
export async function startHeld(options: HttpClientOptions = {}) {
  const connections: Carried[] = []
  const waiting = new Set<() => void>()
  const backend = await startBackend((socket, { text }, number) => {
    const carried = connections[number - 1] ?? { socket, paths: [], answered: 0 }
    connections[number - 1] = carried
    carried.paths = requestsIn(text).map(({ line }) => line.split(' ')[1] ?? '')
    for (const look of waiting) look()
  })
  const client = new HttpClient(options)
  const nextOf = ({ paths, answered }: Carried) => paths[answered]
  const held = {
    connections,
    /** Resolves with status and body of the answer, or with the error's code. */
    ask: (path: string, options: Partial<HttpRequest> = {}) => {
      const url = `http://127.0.0.1:${backend.port}${path}`
      const defaults = { method: 'GET', timeoutMs: 60_000, pipelining: 4, isRepeatable: true } as const
      return textOf(client, { ...defaults, url, ...options }).catch((error) => String(error.code ?? error.name))
    },
    /** The paths of each connection. */
    get paths() {
      return connections.map(({ paths }) => paths.join(' '))
    },
    /** Resolves when a request has come that makes the condition true. Vitest's own polling would advance the clock. */
    until: (condition: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!condition()) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    /** Resolves when so many requests have come on all connections. */
    came: (count: number) => held.until(() => connections.flatMap(({ paths }) => paths).length === count),
    /** Answers the request where it came last, and must be the next one of its connection. */
    answer(path: string, text = echo(path)) {
      const carried = connections.findLast((each) => nextOf(each) === path)
      if (carried === undefined) throw new Error(`${path} is not the next one`)
      carried.answered += 1
      carried.socket.write(text)
    },
    /** Has a connection that stays open, as its first answer shows, which takes so long. */
    async begin(tookMs = 0) {
      const first = held.ask('/first')
      await held.came(1)
      vi.advanceTimersByTime(tookMs)
      held.answer('/first')
      await first
    },
    client,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
      await backend[Symbol.asyncDispose]()
    },
  }
  return held
}
