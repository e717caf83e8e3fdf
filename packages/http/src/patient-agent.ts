import { Agent, type ClientRequest, type ClientRequestArgs } from 'node:http'
import type { Socket, TcpNetConnectOpts } from 'node:net'
import type { Duplex } from 'node:stream'
import { PatientSocket } from './patient-socket.ts'

/**
 * An agent that loses no answer. A kept connection on which bytes arrive without a request is closed: they could only be mistaken for the
 * answer to a later request.
 */
export class PatientAgent extends Agent {
  override createConnection(options: ClientRequestArgs): Socket {
    const socket = new PatientSocket((bytes) => socket.emit('data', Buffer.from(bytes)))
    return socket.connect(options as TcpNetConnectOpts)
  }

  /** Node's own returns whether to keep the connection, though its type does not say so. */
  override keepSocketAlive(socket: Duplex): void {
    if (socket.readableLength > 0) return
    socket.on('data', closeUnasked)
    // biome-ignore lint/correctness/noVoidTypeReturn: returning false closes the connection
    return super.keepSocketAlive(socket)
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    socket.off('data', closeUnasked)
    super.reuseSocket(socket, request)
  }
}

function closeUnasked(this: Duplex): void {
  this.destroy()
}
