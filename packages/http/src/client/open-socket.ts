import { isIP, type Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { type OnBytes, PatientSocket } from '../patient-socket.ts'
import type { Origin } from './http-request.ts'

/** Connects to an origin. What is read goes to `onBytes`, which has it only during the call. */
export type OpenSocket = (onBytes: OnBytes) => Socket

/** Connections to one origin. */
export function socketsTo({ isSecure, host, port }: Origin, secureContext: SecureContext | undefined): OpenSocket {
  if (!isSecure) return (onBytes) => new PatientSocket(onBytes).connect({ host, port })
  /** The session of the last connection, to be resumed. */
  let session: Buffer | undefined
  return (onBytes) => {
    // Loaded with the first https address: services that need none start without it.
    const { connect } = process.getBuiltinModule('node:tls')
    const socket = connect({
      host,
      port,
      // Stated, because the variable NODE_TLS_REJECT_UNAUTHORIZED changes the default.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(host) === 0 && { servername: host }),
      ...(secureContext && { secureContext }),
      ...(session && { session }),
    })
    return socket
      .setNoDelay(true)
      .on('session', (fresh: Buffer) => {
        session = fresh
      })
      .on('error', () => {
        // It may be what the other side could not resume.
        session = undefined
      })
      .on('data', onBytes)
  }
}
