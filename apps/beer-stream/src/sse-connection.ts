import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
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
  return new ResponseConnection(res)
}

/** A class, as there are thousands of them and each event goes to all: closures of each would be so many objects more to touch. */
class ResponseConnection implements SseConnection {
  readonly #res: ServerResponse
  /**
   * A chunk framed beforehand goes to the socket as it is: a third of the cost of framing it for every client. Without
   * chunked coding (HTTP/1.0) the response does the writing.
   */
  readonly #direct: Socket | undefined
  #isEnded = false

  constructor(res: ServerResponse) {
    this.#res = res
    this.#direct = res.chunkedEncoding && res.socket !== null ? res.socket : undefined
  }

  send(batch: SseBatch): boolean {
    if (this.#isEnded) return true
    return this.#direct === undefined ? this.#res.write(batch.plain) : this.#direct.write(batch.chunked)
  }

  get queuedBytes(): number {
    return this.#writer.writableLength
  }

  get isFull(): boolean {
    return this.#writer.writableNeedDrain
  }

  onceDrained(listener: () => void): void {
    this.#writer.once('drain', listener)
  }

  onceClosed(listener: () => void): void {
    this.#res.once('close', listener)
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#res.end()
    const timer = setTimeout(() => this.#res.destroy(), endTimeoutMs).unref()
    this.#res.once('close', () => clearTimeout(timer))
  }

  destroy(): void {
    this.#isEnded = true
    this.#res.destroy()
  }

  get #writer(): Socket | ServerResponse {
    return this.#direct ?? this.#res
  }
}
