import type { ServerResponse } from 'node:http'
import type { SseBatch } from './sse-batch.ts'

/** One client's open event stream. */
export interface SseConnection {
  /** Whether the client keeps up: false when it should be given time before more is sent. */
  send(batch: SseBatch): boolean
  /** Bytes sent and not yet taken by the operating system. */
  readonly queuedBytes: number
  /** Whether the client should be given time before more is sent. */
  readonly isFull: boolean
  /** Calls back once, when everything queued has been taken. */
  onceDrained(listener: () => void): void
  /** Calls back once, when the connection is over, whoever ended it. */
  onceClosed(listener: () => void): void
  /** Ends the stream in order; a client that does not take the end in time is cut off. */
  end(): void
  /** Cuts the client off at once. */
  destroy(): void
}

/** How long a client may take to read what is queued when its stream ends. */
const endTimeoutMs = 5000

/** Answers with the headers of an event stream, sent at once, and leaves the stream open. */
export function openSseConnection(res: ServerResponse): SseConnection {
  res.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  res.flushHeaders()
  const { socket } = res
  // A chunk framed beforehand goes to the socket as it is: a third of the cost of framing it for every client. Without
  // chunked coding (HTTP/1.0), or behind another answer on its connection (pipelining), the response does the writing.
  const direct = res.chunkedEncoding && socket !== null ? socket : undefined
  const writer = direct ?? res
  let isEnded = false

  return {
    send(batch) {
      return isEnded || writer.write(direct === undefined ? batch.plain : batch.chunked)
    },
    get queuedBytes() {
      return writer.writableLength
    },
    get isFull() {
      return writer.writableNeedDrain
    },
    onceDrained(listener) {
      writer.once('drain', listener)
    },
    onceClosed(listener) {
      res.once('close', listener)
    },
    end() {
      if (isEnded) return
      isEnded = true
      res.end()
      const timer = setTimeout(() => res.destroy(), endTimeoutMs).unref()
      res.once('close', () => clearTimeout(timer))
    },
    destroy() {
      isEnded = true
      res.destroy()
    },
  }
}
