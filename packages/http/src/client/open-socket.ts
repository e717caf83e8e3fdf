import { isIP, type Socket } from 'node:net'
import type { ConnectionOptions, SecureContext } from 'node:tls'
import { type OnBytes, PatientSocket } from '../patient-socket.ts'
import type { Origin } from './http-request.ts'

/** How connections are secured. */
export interface SocketSecurity {
  readonly secureContext?: SecureContext | undefined
  /** Of the last connection to the same origin, to be resumed. */
  session?: Buffer | undefined
}

/** Connects to an origin. */
export type OpenSocket = (onBytes: OnBytes) => Socket

/** Connects. What is read goes to `onBytes`, which has it only during the call. */
export function openSocket(origin: Origin, security: SocketSecurity, onBytes: OnBytes): Socket {
  return origin.isSecure ? openSecured(origin, security, onBytes) : openPlain(origin, onBytes)
}

function openPlain({ host, port }: Origin, onBytes: OnBytes): Socket {
  return new PatientSocket(onBytes).connect({ host, port })
}

function openSecured({ host, port }: Origin, security: SocketSecurity, onBytes: OnBytes): Socket {
  // Loaded with the first https address: services that need none start without it.
  const { connect } = process.getBuiltinModule('node:tls')
  const { secureContext, session } = security
  const options: ConnectionOptions = {
    host,
    port,
    // Stated, because the variable NODE_TLS_REJECT_UNAUTHORIZED changes the default.
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
