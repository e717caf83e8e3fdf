import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpLimits } from './http-limits.ts'

/** How much is still read, and dropped, of a client that has its answer. */
export type LingerLimits = Pick<HttpLimits, 'lingerBytes' | 'lingerMs'>

/**
 * Ends a connection after its last answer: further bytes are read and dropped, within limits, until the client closes. A connection that is
 * closed with unread bytes is reset, and a reset can destroy the answer before the client has read it (RFC 9112, section 9.6).
 */
export function closeLingering(socket: Socket, { lingerBytes: bytes, lingerMs: ms }: LingerLimits): void {
  if (socket.destroyed || lingering.has(socket)) return
  lingering.add(socket)
  // Node ends a connection with `destroySoon`, which destroys the socket as soon as all is written.
  socket.off('finish', socket.destroy)
  // Detaches the HTTP parser: further bytes must be neither requests nor errors.
  socket.removeAllListeners('data')
  let left = bytes
  socket.on('data', (chunk) => {
    left -= chunk.length
    if (left < 0) socket.destroy()
  })
  const timer = setTimeout(() => socket.destroy(), ms)
  socket.once('close', () => clearTimeout(timer))
  socket.end()
  // The stream still waits for a read that the parser has stopped, and would never begin another: this tells it that there is none.
  socket.push('')
  socket.resume()
}

const lingering = new WeakSet<Socket>()

/** How often the rest of a request is measured. */
const MEASURE_MS = 50

/** Reads and drops the rest of a request that was answered early; destroys the connection when too much is left. */
export function dropRest(request: IncomingMessage, { lingerBytes: bytes, lingerMs: ms }: LingerLimits): void {
  const { socket } = request
  const last = socket.bytesRead + bytes
  const until = performance.now() + ms
  // Node emits no event for the bytes that it drops, so the socket is polled.
  const timer = setInterval(
    () => {
      if (request.complete || socket.destroyed) clearInterval(timer)
      else if (socket.bytesRead > last || performance.now() >= until) socket.destroy()
    },
    Math.min(MEASURE_MS, ms),
  )
  request.unpipe().resume()
}
