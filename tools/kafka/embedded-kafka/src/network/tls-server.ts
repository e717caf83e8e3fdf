import type { Server, Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { TlsHandshakeError } from '../errors.ts'
import { ANONYMOUS, userPrincipal } from '../security/principal.ts'
import { subjectOf } from '../security/tls/distinguished-name.ts'
import type { TlsSettings } from '../security/tls/tls-settings.ts'
import type { OnConnectionError } from './connection.ts'

interface TlsServerOptions {
  readonly tls: TlsSettings
  /** How long the handshake may take, in milliseconds. */
  readonly handshakeMs: number
  readonly onError: OnConnectionError
  /** Called for each client that may come in so far. */
  onClient(socket: TLSSocket, principal: string): void
}

/** Who comes and goes, as a probe does, has not broken anything. */
const GONE = /^(ECONNRESET|EPIPE)$/

/** The user whom the client's certificate names; undefined: it is not one to let in. */
function principalOf(socket: TLSSocket, { clientAuth, mapName }: TlsSettings): string | undefined {
  const certificate = clientAuth === 'none' ? undefined : socket.getPeerX509Certificate()
  if (!certificate) return ANONYMOUS
  if (!socket.authorized) return undefined
  const name = mapName(subjectOf(certificate.raw))
  return name === undefined ? undefined : userPrincipal(name)
}

/** Accepts clients with TLS. Certificates and keys of files that have changed are taken for the next connection. */
export function createTlsServer({ tls, handshakeMs, onError, onClient }: TlsServerOptions): Server {
  const { material, clientAuth, versions } = tls
  const fail = (message: string, remote: string, cause?: unknown): void =>
    onError(new TlsHandshakeError(message, { cause }), remote)
  const server = createServer({
    ...material.secrets,
    ...versions,
    requestCert: clientAuth !== 'none',
    rejectUnauthorized: clientAuth === 'required',
    handshakeTimeout: handshakeMs,
  })
  server.prependListener('connection', (socket: Socket) => {
    try {
      const renewed = material.renewed()
      if (renewed) server.setSecureContext({ ...renewed, ...versions })
    } catch (cause) {
      fail(
        `changed certificates are not used: ${cause instanceof Error ? cause.message : ''}`,
        socket.remoteAddress ?? '',
        cause,
      )
    }
  })
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    if (!GONE.test(error.code ?? '')) fail(`TLS: ${error.message}`, socket.remoteAddress ?? '', error)
    socket.destroy()
  })
  server.on('secureConnection', (socket) => {
    const principal = principalOf(socket, tls)
    if (principal !== undefined) return onClient(socket, principal)
    fail(
      `TLS: the client's certificate is not taken: ${socket.authorizationError ?? 'no rule for its name'}`,
      socket.remoteAddress ?? '',
    )
    socket.on('error', () => socket.destroy())
    socket.destroy()
  })
  return server
}
