import { createServer, type Server, type Socket } from 'node:net'
import type { Broker } from '../broker/broker.ts'
import { ListenError } from '../errors.ts'
import { type ConnectionLimits, type OnConnectionError, serveConnection } from './connection.ts'
import type { HeldBytes } from './held-bytes.ts'

export interface ListenerOptions {
  readonly broker: Broker
  readonly host: string
  readonly port: number
  /** More are closed at once. */
  readonly maxConnections: number
  /** Shared by all listeners of a broker. */
  readonly held: HeldBytes
  readonly limits: ConnectionLimits
  readonly onError: OnConnectionError
}

/** Accepts clients; closing it ends their connections. */
export interface Listener {
  readonly port: number
  close(): Promise<void>
}

function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(new ListenError(`cannot listen on ${host}:${port}`, { cause })))
    server.listen({ host, port }, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

/**
 * Listens for clients.
 * @throws {ListenError} when the address is taken or not of this machine
 */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const { broker, held, limits, onError } = options
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serveConnection({ broker, socket, limits, held, onError })
  })
  server.maxConnections = options.maxConnections
  const port = await listening(server, options.host, options.port)
  return {
    port,
    close() {
      const ended = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      return ended
    },
  }
}
