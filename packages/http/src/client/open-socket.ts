import { isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import type { ConnectionOptions, SecureContext } from 'node:tls'
import { PatientSocket } from '../patient-socket.ts'
import type { Origin } from './http-request.ts'

/** How connections are secured. */
export interface SocketSecurity {
  readonly secureContext?: SecureContext | undefined
  /** Of the last connection to the same origin, to be resumed. */
  session?: Buffer | undefined
}

/** Connects to an origin. */
export type OpenSocket = (onBytes: (bytes: Buffer) => void) => Socket

/** Of one read: a larger answer takes several. */
const READ_BYTES = 16 * 1024

/** Connects. What is read goes to `onBytes`, which has it only during the call. */
export function openSocket(origin: Origin, security: SocketSecurity, onBytes: (bytes: Buffer) => void): Socket {
  return origin.isSecure ? openSecured(origin, security, onBytes) : openPlain(origin, onBytes)
}

function openPlain({ host, port }: Origin, onBytes: (bytes: Buffer) => void): Socket {
  // Into the same memory each time: a stream makes a new buffer of each read, which costs as much as reading a small answer.
  const callback = (count: number, buffer: Uint8Array) => {
    onBytes(Buffer.from(buffer.buffer, buffer.byteOffset, count))
    return true
  }
  const socket = new PatientSocket({ onread: { buffer: Buffer.allocUnsafeSlow(READ_BYTES), callback } })
  const target: TcpNetConnectOpts = { host, port, noDelay: true }
  return socket.connect(target)
}

function openSecured({ host, port }: Origin, security: SocketSecurity, onBytes: (bytes: Buffer) => void): Socket {
  // Loaded with the first https address: services that need none start without it.
  const { connect } = process.getBuiltinModule('node:tls')
  const { secureContext, session } = security
  const options: ConnectionOptions = {
    host,
    port,
    // Said, because the variable NODE_TLS_REJECT_UNAUTHORIZED changes the default.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 && { servername: host }),
    ...(secureContext && { secureContext }),
    ...(session && { session }),
  }
  const socket = connect(options)
  socket.setNoDelay(true)
  return socket
    .on('session', (fresh: Buffer) => {
      security.session = fresh
    })
    .on('error', () => {
      // It may be what the other side could not resume.
      security.session = undefined
    })
    .on('data', onBytes)
}
