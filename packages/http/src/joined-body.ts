import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'

/**
 * A request's body in pieces that each have all that has arrived. A client may send each byte as its own chunk: the event `data` of a request
 * would come a million times for 1 MiB. Node would also read on in the same turn of the event loop for as long as there are bytes, so a
 * chunked body is read once in a turn: at most 64 KiB of its connection.
 */
export function joinedBody(request: IncomingMessage): Readable {
  const isChunked = request.headers['transfer-encoding'] !== undefined
  return isChunked ? Readable.from(pieces(request), { objectMode: false }) : request
}

async function* pieces(request: IncomingMessage): AsyncGenerator<Buffer> {
  const { socket } = request
  let isWaiting = false
  // Reading a body makes Node resume its connection.
  const keepPaused = () => {
    if (isWaiting) socket.pause()
  }
  socket.on('resume', keepPaused)
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      isWaiting = true
      socket.pause()
      yield piece
      await setImmediate()
      isWaiting = false
      socket.resume()
    }
  } finally {
    isWaiting = false
    socket.off('resume', keepPaused)
    socket.resume()
  }
}
