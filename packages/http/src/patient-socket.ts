import { Agent, type ClientRequestArgs } from 'node:http'
import { Socket, type TcpNetConnectOpts } from 'node:net'

/** Takes what is read. The bytes are valid only during the call. */
export type OnBytes = (bytes: Buffer) => void

/** The memory of one read of any connection: `onBytes` is called before the next read. */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * A connection that is still read after a write has failed. A service that refuses a body before it has read all of it (413) answers and
 * closes, which makes the next write fail, but its answer has arrived. What is read goes to `onBytes` and not through the stream, because a
 * stream drops what it reads after an error.
 */
export class PatientSocket extends Socket {
  #wasReset = false

  constructor(onBytes: OnBytes) {
    const callback = (count: number) => {
      onBytes(READ_BUFFER.subarray(0, count))
      return true
    }
    super({ onread: { buffer: READ_BUFFER, callback } })
    this.setNoDelay(true)
  }

  /** True once a write has failed because the other side had closed without reading all bytes. */
  get wasReset(): boolean {
    return this.#wasReset
  }

  /** Node calls this method with the error of a failed write; that call ends the connection once the rest is read. */
  override destroy(error?: Error): this {
    if (this.#wasReset || this.destroyed || !isRefusedWrite(error)) return super.destroy(error)
    this.#wasReset = true
    this.#readRest(error)
    return this
  }

  /** Ends when a turn of the event loop reads nothing more: all that the other side has sent is here. A paused reader goes on first. */
  #readRest(error: Error, before = -1): void {
    if (this.destroyed) return
    const { bytesRead } = this
    if (this.isPaused()) this.once('resume', () => this.#readRest(error))
    // The first of them may come before the network is read.
    else if (bytesRead !== before) setImmediate(setImmediate, () => this.#readRest(error, bytesRead))
    else super.destroy(error)
  }
}

function isRefusedWrite(error: NodeJS.ErrnoException | undefined): error is Error {
  return error?.syscall?.startsWith('write') === true && (error.code === 'EPIPE' || error.code === 'ECONNRESET')
}

/**
 * True when a connection was reset, judged by the error that it ended with. A system closes a connection in order when everything was read:
 * so a service that was killed before it had read a request resets, and one that died from handling it does not.
 */
export function isReset(error: unknown, socket: Socket | null): boolean {
  if (socket instanceof PatientSocket && socket.wasReset) return true
  const { syscall, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  return syscall === 'read' && code === 'ECONNRESET'
}

/**
 * An agent that loses no answer. A connection on which bytes arrive that no request waits for is closed: they could only be mistaken for
 * the answer to a later request.
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
