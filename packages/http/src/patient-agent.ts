import { Agent, type ClientRequest, type ClientRequestArgs } from 'node:http'
import { Socket, type TcpNetConnectOpts } from 'node:net'
import type { Duplex } from 'node:stream'

type WriteCallback = (error?: Error | null) => void

/**
 * A connection that goes on reading when writing fails: a service that refuses a body before it has read it (413) and closes has
 * sent its answer, which is to arrive. When there is none, reading fails as well and says so.
 */
class PatientSocket extends Socket {
  /** Whether the other side broke off with bytes of ours unread: only that makes writing fail. */
  wasReset = false

  override _write(chunk: unknown, encoding: BufferEncoding, callback: WriteCallback): void {
    super._write(chunk, encoding, (error) => callback(this.#seriousError(error)))
  }

  override _writev(chunks: { chunk: unknown; encoding: BufferEncoding }[], callback: WriteCallback): void {
    super._writev?.(chunks, (error) => callback(this.#seriousError(error)))
  }

  #seriousError(error: NodeJS.ErrnoException | null | undefined): Error | null | undefined {
    if (error?.code !== 'EPIPE' && error?.code !== 'ECONNRESET') return error
    this.wasReset = true
    return null
  }
}

/**
 * Whether a connection was reset, told by the error that it ended with: whoever closes a connection after having read everything ends it in order. So a
 * service that was killed before it had read a request resets, and one that died of it does not.
 */
export function isReset(error: unknown, socket: Socket | null): boolean {
  if (socket instanceof PatientSocket && socket.wasReset) return true
  return (
    error instanceof Error &&
    'syscall' in error &&
    error.syscall === 'read' &&
    'code' in error &&
    error.code === 'ECONNRESET'
  )
}

/**
 * An agent that misses no answer. A kept connection on which bytes arrive while nobody asked anything is closed: they could only be taken for
 * the answer to somebody else's request.
 */
export class PatientAgent extends Agent {
  override createConnection(options: ClientRequestArgs): Socket {
    const target = options as TcpNetConnectOpts
    return new PatientSocket(target).connect(target)
  }

  /** Node's own answers whether to keep the connection, though its type says nothing of it. */
  override keepSocketAlive(socket: Duplex): void {
    if (socket.readableLength > 0) return
    socket.on('data', closeUnasked)
    // biome-ignore lint/correctness/noVoidTypeReturn: false is how it says that the connection is to be closed
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
