import { once } from 'node:events'
import { connect } from 'node:net'

/** A thing that a service may wait for when it is stopped. */
export interface Situation {
  readonly name: string
  /** In place of variables of the service. */
  readonly env?: Readonly<Record<string, string>>
  /** Nothing of it is work: the service ends at once. */
  readonly isIdle?: boolean
  /** Brings it about, once the service is ready; disposing of it ends it. */
  begin(url: string): Promise<Disposable>
}

const HEAD = 'HTTP/1.1\r\nHost: localhost\r\n'
const LIVE = `GET /q/health/live ${HEAD}`
const BODY = 'Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{'

/** Connections of clients, which every service may have. */
export const CONNECTIONS: readonly Situation[] = [
  { name: 'none', isIdle: true, begin: async () => new DisposableStack() },
  connection('idle, kept', `${LIVE}\r\n`, { isIdle: true }),
  connection('unused', '', { isIdle: true }),
  connection('half a head', LIVE),
  connection('half a body', `POST / ${HEAD}${BODY}`),
  connection('upgrade', `${LIVE}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, { isIdle: true }),
]

/** A client that reads the beers. */
export const STREAM = connection('event stream', `GET /beer ${HEAD}Accept: text/event-stream\r\n\r\n`, { isIdle: true })

/** A connection on which bytes were sent, and, where the service is done with them, an answer has begun. */
function connection(name: string, bytes: string, { isIdle = false } = {}): Situation {
  return {
    name,
    isIdle,
    async begin(url) {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      await once(socket, 'connect')
      if (bytes !== '') socket.write(bytes)
      if (bytes !== '' && isIdle) await once(socket, 'data')
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
