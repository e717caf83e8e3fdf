import { readFileSync } from 'node:fs'
import { connect, isIP, type Socket } from 'node:net'
import { checkServerIdentity, type TLSSocket, connect as tlsConnect } from 'node:tls'
import { reasonOf } from '@taproom/core/lines'
import { isPem, type KafkaTls, type Pem } from './kafka-security.ts'
import { tlsFailure } from './tls-failure.ts'

interface SocketOptions {
  readonly host: string
  readonly port: number
  readonly tls: KafkaTls | undefined
  /** Whether the client authenticates with SASL. */
  readonly hasSasl: boolean
  /** Called when the connection can be used: with TLS after the certificate has been found good. */
  onConnect(): void
  /** Called when it is TLS, or SASL that is missing, that went wrong, with a sentence for a person. */
  onFailure(reason: string): void
}

/**
 * Connects to a broker.
 * @throws {Error} when the files of certificates and key cannot be read, or do not belong together
 */
export function openSocket(options: SocketOptions): Socket {
  const { host, port, tls, onConnect } = options
  const socket = tls === undefined ? connect({ host, port }, onConnect) : openEncrypted(options, tls)
  watchStart(socket, options)
  return socket
}

function openEncrypted({ host, port, onConnect, onFailure }: SocketOptions, tls: KafkaTls): TLSSocket {
  const name = tls.serverName ?? host
  let socket: TLSSocket
  try {
    socket = tlsConnect(
      {
        host,
        port,
        ...secrets(tls),
        // Said, because the variable NODE_TLS_REJECT_UNAUTHORIZED changes the default.
        rejectUnauthorized: true,
        // A name only: addresses are not sent (RFC 6066, 3), but checked all the same.
        ...(isIP(name) === 0 && { servername: name }),
        checkServerIdentity: (_host, certificate) =>
          tls.verifyHostname === false ? undefined : checkServerIdentity(name, certificate),
      },
      onConnect,
    )
  } catch (error) {
    onFailure(`certificates and key of this client cannot be used: ${reasonOf(error)}`)
    throw error
  }
  let expiresAt: string | undefined
  let isSecured = false
  // Before Node looks at the certificate: that of a connection which it then breaks is gone.
  socket.prependListener('secure', () => {
    isSecured = true
    expiresAt = socket.getPeerCertificate().valid_to
  })
  socket.once('error', (error) => {
    const reason = tlsFailure(error, { broker: `${host}:${port}`, name, isSecured, expiresAt })
    if (reason !== undefined) onFailure(reason)
  })
  return socket
}

/** First bytes of a TLS alert, with which a port with TLS answers a client without: its type and the major version. */
const TLS_ALERT = Buffer.from([0x15, 0x03])

/** To a client that speaks otherwise than it expects Kafka says nothing, and ends the connection. The first two pieces are looked at. */
function watchStart(socket: Socket, { host, port, tls, hasSasl, onFailure }: SocketOptions): void {
  const broker = `Kafka broker ${host}:${port}`
  let pieces = 0
  const count = (bytes: Buffer) => {
    pieces += 1
    if (pieces > 1) return
    if (tls === undefined && bytes.subarray(0, TLS_ALERT.length).equals(TLS_ALERT)) {
      onFailure(`${broker} speaks TLS at this port, and this client does not`)
    } else socket.once('data', count)
  }
  socket.once('data', count)
  const onEnd = () => {
    const missing = pieces === 0 && tls === undefined ? 'TLS' : pieces === 1 && !hasSasl ? 'SASL' : undefined
    if (missing === undefined || socket.writableEnded) return
    onFailure(`${broker} ended a new connection; perhaps it wants ${missing} at this port`)
  }
  socket.once('end', onEnd)
  socket.once('error', (error) => {
    if ('code' in error && error.code === 'ECONNRESET') onEnd()
  })
}

function secrets({ ca, certificate, key, keyPassword }: KafkaTls) {
  return {
    ...(ca !== undefined && { ca: textOf(ca) }),
    ...(certificate !== undefined && { cert: textOf(certificate) }),
    ...(key !== undefined && { key: textOf(key) }),
    ...(keyPassword !== undefined && { passphrase: keyPassword }),
  }
}

/** Node takes an empty text as none at all: it would trust the CAs it knows, or connect without this client's certificate. */
function textOf(pem: Pem): string {
  if (typeof pem === 'string') return pem
  const text = readFileSync(pem.file, 'utf8')
  if (!isPem(text)) throw new Error(`there is no PEM in ${pem.file}`)
  return text
}
