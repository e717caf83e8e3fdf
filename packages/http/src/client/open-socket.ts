import type { ProxyEnv } from 'node:http'
import type { Agent } from 'node:https'
import { isIP, type Socket } from 'node:net'
import type { SecureContext, TLSSocket } from 'node:tls'
import { type OnBytes, PatientSocket } from '../patient-socket.ts'
import type { Address } from './address.ts'
import type { Origin } from './http-request.ts'

/** Takes a connection, or the reason why there is none. */
export type OnOpen = (error: Error | null, socket: Socket) => void

/**
 * Connects to an origin. What is read goes to `onBytes`, which has it only during the call. `onOpen` is called at once, or when a proxy has
 * opened a tunnel; until then, destroying the returned socket gives the tunnel up.
 */
export type OpenSocket = (onBytes: OnBytes, onOpen: OnOpen) => Socket

/** Connections to one origin, through its proxy if it has one. */
export function socketsTo({ proxy, ...origin }: Origin, secureContext: SecureContext | undefined): OpenSocket {
  if (origin.isSecure) return secureSockets(origin, { secureContext, proxyEnv: proxy?.env })
  // The proxy itself gets the request, and sends it on.
  const { isSecure, host, port } = proxy ?? origin
  if (isSecure) return secureSockets({ host, port })
  return (onBytes, onOpen) => {
    const socket = new PatientSocket(onBytes).connect({ host, port })
    onOpen(null, socket)
    return socket
  }
}

interface SecureOptions {
  readonly secureContext?: SecureContext | undefined
  /** Names the proxy that is asked for tunnels. */
  readonly proxyEnv?: ProxyEnv | undefined
}

function secureSockets(
  { host, port }: Pick<Address, 'host' | 'port'>,
  { secureContext, proxyEnv }: SecureOptions = {},
): OpenSocket {
  /** The session of the last connection, to be resumed. */
  let session: Buffer | undefined
  let agent: Agent | undefined
  return (onBytes, onOpen) => {
    const options = {
      host,
      port,
      // Stated, because the variable NODE_TLS_REJECT_UNAUTHORIZED changes the default.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(host) === 0 && { servername: host }),
      ...(secureContext && { secureContext }),
      ...(session && { session }),
    }
    const listen = (socket: TLSSocket) =>
      socket
        .setNoDelay(true)
        .on('session', (fresh: Buffer) => {
          session = fresh
        })
        .on('error', () => {
          // It may be what the other side could not resume.
          session = undefined
        })
        .on('data', onBytes)
    // Loaded with the first https address: services that need none start without it.
    if (proxyEnv === undefined) {
      const socket = listen(process.getBuiltinModule('node:tls').connect(options))
      onOpen(null, socket)
      return socket
    }
    agent ??= new (process.getBuiltinModule('node:https').Agent)({ proxyEnv })
    const toProxy = agent.createConnection(options, (error, socket) => {
      if (error === null) listen(socket as TLSSocket)
      onOpen(error, socket as TLSSocket)
    })
    // Errors reach the callback.
    return (toProxy as Socket).on('error', () => undefined)
  }
}
