import { createServer, type Server, type Socket } from 'node:net'
import type { Broker } from '../broker.ts'
import { ListenError } from '../errors.ts'
import { type OnConnectionError, serveConnection } from './connection.ts'

export interface ServerOptions {
  readonly broker: Broker
  readonly host: string
  readonly port: number
  readonly maxConnections: number
  readonly maxFrameBytes: number
  readonly onError: OnConnectionError
}

/** A listening server and how to end it. */
export interface RunningServer {
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

/** Listens for clients; throws ListenError when that is not possible. */
export async function listen(options: ServerOptions): Promise<RunningServer> {
  const { broker, maxFrameBytes, onError } = options
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serveConnection({ broker, socket, maxFrameBytes, onError })
  })
  // More are accepted and closed at once.
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
