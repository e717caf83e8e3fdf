import { Agent, type ClientRequestArgs } from 'node:http'
import type { Socket, TcpNetConnectOpts } from 'node:net'
import { PatientSocket } from './patient-socket.ts'

/**
 * An agent that loses no answer. A connection on which bytes arrive that no request waits for is closed: they could only be mistaken for the
 * answer to a later request.
 */
export class PatientAgent extends Agent {
  override createConnection(options: ClientRequestArgs): Socket {
    const socket = new PatientSocket((bytes) => {
      // Only a request listens.
      if (!socket.emit('data', Buffer.from(bytes))) socket.destroy()
    })
    return socket.connect(options as TcpNetConnectOpts)
  }
}
