import { Agent, type ClientRequest, type ClientRequestArgs } from 'node:http'
import { Socket, type TcpNetConnectOpts } from 'node:net'
import type { Duplex } from 'node:stream'

type WriteCallback = (error?: Error | null) => void

/**
 * A connection that keeps reading when writing fails: a service that refuses a body before it has read it (413) and closes has already sent its
 * answer. If it has not, reading fails too.
 */
class PatientSocket extends Socket {
  /** Whether the other side broke off without reading all our bytes: only that makes writing fail. */
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
 * Whether a connection was reset, judged by the error that it ended with. A system closes a connection in order when everything was read: so a
 * service that was killed before it had read a request resets, and one that died from handling it does not.
 */
export function isReset(error: unknown, socket: Socket | null): boolean {
  if (socket instanceof PatientSocket && socket.wasReset) return true
  const { syscall, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  return syscall === 'read' && code === 'ECONNRESET'
}

/**
 * An agent that loses no answer. A kept connection on which bytes arrive without a request is closed: they could only be mistaken for the
 * answer to a later request.
 */
export class PatientAgent extends Agent {
  override createConnection(options: ClientRequestArgs): Socket {
    const target = options as TcpNetConnectOpts
    return new PatientSocket(target).connect(target)
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
