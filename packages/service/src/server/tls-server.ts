import type { RequestListener, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import type { Logger } from '../logger.ts'
import { readTlsPair, type TlsOptions, type TlsPair, watchTlsPair } from './tls-files.ts'

/**
 * A server of TLS 1.2 and up that takes a new pair of files when there is one. Loaded only when a service speaks TLS.
 *
 * @throws {ConfigError} when the files are no pair that is valid now
 */
export async function createTlsServer(
  tls: TlsOptions,
  options: ServerOptions & { readonly handshakeTimeout: number },
  { onRequest, log }: { readonly onRequest: RequestListener; readonly log: Logger | undefined },
) {
  const first = await readTlsPair(tls)
  const { createServer } = await import('node:https')
  const server = createServer({ ...options, ...contextOf(first), allowHalfOpen: true }, onRequest)
  const files = watchTlsPair(tls, { first, log, onChange: (pair) => server.setSecureContext(contextOf(pair)) })

  const handshakes = new Map<string, Socket>()
  server.on('connection', (socket: Socket) => {
    const key = peerOf(socket)
    handshakes.set(key, socket)
    socket.once('close', () => {
      if (handshakes.get(key) === socket) handshakes.delete(key)
    })
  })
  server.on('secureConnection', (socket) => void handshakes.delete(peerOf(socket)))
  return {
    server,
    /** Ends connections that have not agreed on a key yet, which no request can be in flight of. */
    dropHandshakes() {
      for (const socket of handshakes.values()) socket.destroy()
    },
    [Symbol.dispose]: () => files[Symbol.dispose](),
  }
}

function contextOf(pair: TlsPair): SecureContextOptions {
  return { ...pair, minVersion: 'TLSv1.2' }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
