import { createServer, type Server, type Socket } from 'node:net'
import type { Broker } from '../broker/broker.ts'
import { ListenError } from '../errors.ts'
import { ClientSession } from '../security/session.ts'
import { type ConnectionLimits, type OnConnectionError, serveConnection } from './connection.ts'
import type { HeldBytes } from './held-bytes.ts'
import { hostAndPort, type ListenerPlan } from './listener-plan.ts'
import { createTlsServer } from './tls-server.ts'

export interface ListenOptions {
  readonly broker: Broker
  readonly plans: readonly ListenerPlan[]
  /** Of all listeners together; more are closed at once. */
  readonly maxConnections: number
  /** Shared by all listeners of a broker. */
  readonly held: HeldBytes
  readonly limits: ConnectionLimits
  readonly onError: OnConnectionError
}

/** One listener, where it really listens. */
export interface ListenerAddress {
  readonly name: string
  /** Of this machine; `localhost` for a listener on all its addresses. */
  readonly host: string
  readonly port: number
  /** `host:port`, for clients of this machine. */
  readonly bootstrapServers: string
}

/** Accepts clients; closing it ends their connections. */
export interface Listeners {
  /** In the order of their plans. */
  readonly addresses: readonly ListenerAddress[]
  close(): Promise<void>
}

function reasonOf(cause: Error): string {
  if (!('code' in cause)) return cause.message
  if (cause.code === 'EADDRINUSE') return 'the address is taken (EADDRINUSE)'
  if (cause.code === 'EADDRNOTAVAIL') return 'the address is not of this machine (EADDRNOTAVAIL)'
  return String(cause.code)
}

function listening(server: Server, { name, host, port }: ListenerPlan): Promise<ListenerAddress> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const where = `${name}://${hostAndPort(host ?? '', port)}`
      reject(new ListenError(`cannot listen on ${where}: ${reasonOf(cause)}`, { cause }))
    })
    server.listen({ ...(host !== undefined && { host }), port }, () => {
      const bound = server.address()
      const address = { host: host ?? 'localhost', port: typeof bound === 'object' && bound ? bound.port : port }
      resolve({ name, ...address, bootstrapServers: hostAndPort(address.host, address.port) })
    })
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Accepts clients as the listener's protocol has it. */
function serverOf(plan: ListenerPlan, options: ListenOptions): Server {
  const { broker, held, limits, onError } = options
  const { name: listener, advertised, security } = plan
  const { now } = broker
  const sasl = security.sasl?.({ findScram: broker.scramCredentials.find, now })
  const onClient = (socket: Socket, principal?: string): void => {
    const session = new ClientSession(sasl, { now, ...(principal !== undefined && { principal }) })
    serveConnection({ broker, socket, listener, advertised, session, limits, held, onError })
  }
  if (!security.tls) return createServer((socket) => onClient(socket))
  return createTlsServer({ tls: security.tls, handshakeMs: limits.slowClientMs, onError, onClient })
}

/**
 * Listens for clients on all listeners, or on none.
 * @throws {ListenError} when an address is taken or not of this machine
 */
export async function listen(options: ListenOptions): Promise<Listeners> {
  const sockets = new Set<Socket>()
  const servers: Server[] = []
  const close = async (): Promise<void> => {
    const ended = servers.map(closed)
    for (const socket of sockets) socket.destroy()
    await Promise.all(ended)
  }
  // Before anything else looks at a connection, also before TLS.
  const count = (socket: Socket): void => {
    if (sockets.size >= options.maxConnections) {
      socket.destroy()
      return
    }
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  }
  const addresses: ListenerAddress[] = []
  try {
    for (const plan of options.plans) {
      const server = serverOf(plan, options).prependListener('connection', count)
      servers.push(server)
      addresses.push(await listening(server, plan))
    }
  } catch (error) {
    await close()
    throw error
  }
  return { addresses, close }
}
