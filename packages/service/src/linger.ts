import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** How much of what a client still sends is read, to be dropped, after it has its answer. */
export interface LingerLimits {
  readonly bytes: number
  readonly ms: number
}

/**
 * Ends a connection after its last answer: what the client still sends is read and dropped until it closes, within limits. A connection that is
 * closed with bytes unread is reset, and a reset can take the answer away before the client has read it (RFC 9112, section 9.6).
 */
export function closeLingering(socket: Socket, { bytes, ms }: LingerLimits): void {
  if (socket.destroyed || lingering.has(socket)) return
  lingering.add(socket)
  // From here on bytes are no HTTP: the parser must neither see requests in them nor complain.
  socket.removeAllListeners('data')
  let left = bytes
  socket.on('data', (chunk) => {
    left -= chunk.length
    if (left < 0) socket.destroy()
  })
  const timer = setTimeout(() => socket.destroy(), ms)
  socket.once('close', () => clearTimeout(timer))
  socket.end()
  socket.resume()
}

const lingering = new WeakSet<Socket>()

/** How often the rest of a request is measured. */
const MEASURE_MS = 50

/** Reads and drops the rest of a request that was answered before it had arrived; one that has too much left loses its connection. */
export function dropRest(request: IncomingMessage, { bytes, ms }: LingerLimits): void {
  const { socket } = request
  const last = socket.bytesRead + bytes
  const until = performance.now() + ms
  // Node gives nobody the bytes that it drops, so that they can only be measured.
  const timer = setInterval(
    () => {
      if (request.complete || socket.destroyed) clearInterval(timer)
      else if (socket.bytesRead > last || performance.now() >= until) socket.destroy()
    },
    Math.min(MEASURE_MS, ms),
  )
  request.unpipe().resume()
}
