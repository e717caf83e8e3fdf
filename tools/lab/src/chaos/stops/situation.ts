import { once } from 'node:events'
import { connect } from 'node:net'

/** A thing that a service may wait for when it is stopped. */
export interface Situation {
  readonly name: string
  /** In place of variables of the service. */
  readonly env?: Readonly<Record<string, string>>
  /** The most seconds that a stop may take. Default: the grace, and what a process needs to end after it. */
  readonly mostSeconds?: number
  /** Begins the situation, once the service is ready; disposing of the result ends it. */
  begin(url: string): Promise<Disposable>
}

/** No work is under way: more than a busy machine needs, and less than any part of the grace. */
const AT_ONCE = 2
/** A client that stalls within a head has 2 s (decisions 1.75). */
const HALF_A_HEAD = 4

const HEAD = 'HTTP/1.1\r\nHost: localhost\r\n'
const LIVE = `GET /q/health/live ${HEAD}`
const BODY = 'Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{'

/** Connections of clients, which every service may have. */
export const CONNECTIONS: readonly Situation[] = [
  { name: 'none', mostSeconds: AT_ONCE, begin: async () => new DisposableStack() },
  connection('idle, kept', `${LIVE}\r\n`, { mostSeconds: AT_ONCE, isAnswered: true }),
  connection('unused', '', { mostSeconds: AT_ONCE }),
  connection('half a head', LIVE, { mostSeconds: HALF_A_HEAD }),
  connection('half a body', `POST / ${HEAD}${BODY}`),
  connection('upgrade', `${LIVE}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, {
    mostSeconds: AT_ONCE,
    isAnswered: true,
  }),
]

/** A client that reads the beers. */
export const STREAM = connection('event stream', `GET /beer ${HEAD}Accept: text/event-stream\r\n\r\n`, {
  mostSeconds: AT_ONCE,
  isAnswered: true,
})

interface ConnectionOptions {
  readonly mostSeconds?: number
  /** The service answers the bytes. */
  readonly isAnswered?: boolean
}

/** A connection on which bytes were sent, and an answer has begun where there is one. */
function connection(name: string, bytes: string, options: ConnectionOptions = {}): Situation {
  const { mostSeconds, isAnswered = false } = options
  return {
    name,
    ...(mostSeconds !== undefined && { mostSeconds }),
    async begin(url) {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      await once(socket, 'connect')
      if (bytes !== '') socket.write(bytes)
      if (isAnswered) await once(socket, 'data')
      // A service answers a later connection once it has this one.
      await askAlive(url)
      return { [Symbol.dispose]: () => socket.destroy() }
    },
  }
}

/** A request that the service cannot answer before a dependency has answered. */
export async function leaveRequest(url: string, init: RequestInit = {}): Promise<Disposable> {
  const client = new AbortController()
  fetch(url, { ...init, signal: client.signal }).catch(() => undefined)
  await askAlive(url)
  return { [Symbol.dispose]: () => client.abort() }
}

/** A request that every service answers, over a connection of its own. */
export async function askAlive(url: string): Promise<Disposable> {
  await (await fetch(new URL('/q/health/live', url), { headers: { connection: 'close' } })).text()
  return new DisposableStack()
}
