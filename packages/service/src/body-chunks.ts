import type { IncomingMessage } from 'node:http'

/** Smaller chunks are joined. */
const SMALL_BYTES = 1024
const JOINED_BYTES = 16 * 1024
/** About how many chunks are read in one turn of the event loop. */
const CHUNKS_A_TURN = 2048

/**
 * Joins the small chunks of a body, once in each turn of the event loop. A client may send each byte as its own chunk: 1 MiB would be a million
 * calls of the reader. `yieldTurn` stops reading until the next turn, because Node reads on as long as there is data.
 */
export function joinSmallChunks(req: IncomingMessage, yieldTurn: () => void): void {
  const push = req.push
  let joined = Buffer.alloc(0)
  let length = 0
  let chunks = 0
  let isFull = false

  const flush = () => {
    if (length === 0) return
    const bytes = joined.subarray(0, length)
    joined = Buffer.alloc(0)
    length = 0
    isFull = !push.call(req, bytes)
  }
  const join = (chunk: Buffer) => {
    if (length === 0) {
      joined = Buffer.allocUnsafe(JOINED_BYTES)
      setImmediate(flush)
    }
    chunk.copy(joined, length)
    length += chunk.length
    if (length > JOINED_BYTES - SMALL_BYTES) flush()
  }

  req.push = (chunk: Buffer | null, encoding) => {
    if (chunk !== null) {
      chunks += 1
      if (chunks % CHUNKS_A_TURN === 0) yieldTurn()
      if (chunk.length < SMALL_BYTES) {
        join(chunk)
        return !isFull
      }
    }
    flush()
    return push.call(req, chunk, encoding)
  }
}
