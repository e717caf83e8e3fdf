import { Socket } from 'node:net'

type WriteCallback = (error?: Error | null) => void

/**
 * A connection that keeps reading when writing fails: a service that refuses a body before it has read it (413) and closes has already sent its
 * answer. If it has not, reading fails too.
 */
export class PatientSocket extends Socket {
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
