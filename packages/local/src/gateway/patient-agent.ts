import { Agent, type ClientRequestArgs } from 'node:http'
import { Socket, type TcpNetConnectOpts } from 'node:net'

type WriteCallback = (error?: Error | null) => void

/**
 * A connection that goes on reading when writing fails: a service that refuses a body before it has read it (413) and closes has
 * sent its answer, which is to arrive. When there is none, reading fails as well and says so.
 */
class PatientSocket extends Socket {
  override _write(chunk: unknown, encoding: BufferEncoding, callback: WriteCallback): void {
    super._write(chunk, encoding, (error) => callback(isBrokenOff(error) ? null : error))
  }

  override _writev(chunks: { chunk: unknown; encoding: BufferEncoding }[], callback: WriteCallback): void {
    super._writev?.(chunks, (error) => callback(isBrokenOff(error) ? null : error))
  }
}

function isBrokenOff(error: NodeJS.ErrnoException | null | undefined): boolean {
  return error?.code === 'EPIPE' || error?.code === 'ECONNRESET'
}

/** An agent that keeps connections to services on this machine and misses no answer. */
export class PatientAgent extends Agent {
  constructor() {
    super({ keepAlive: true, maxFreeSockets: 64 })
  }

  override createConnection(options: ClientRequestArgs): Socket {
    const target = options as TcpNetConnectOpts
    return new PatientSocket(target).connect(target)
  }
}
