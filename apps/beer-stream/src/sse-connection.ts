import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Span } from '@taproom/core/spans'
import { spanOf } from '@taproom/http'
import type { SseBatch } from './sse-batch.ts'

export type SseConnection = Pick<ResponseConnection, keyof ResponseConnection>

/** Time for a client to read its queue when the stream ends. */
const END_TIMEOUT_MS = 5000

/** Sends the headers of an event stream at once and leaves it open. */
export function openSseConnection(res: ServerResponse): SseConnection {
  res.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  res.flushHeaders()
  // A time limit for silence would be set anew with each write to each client; the hub has its own for clients that do not read.
  res.socket?.setTimeout(0)
  return new ResponseConnection(res)
}

/** A class: with thousands of clients and every event for all, closures for each would mean many more objects to touch. */
class ResponseConnection {
  readonly #res: ServerResponse
  /**
   * Writing framed chunks to the socket costs a third of framing them for every client. Without chunked coding (HTTP/1.0) the response
   * writes.
   */
  readonly #direct: Socket | undefined
  #isEnded = false

  constructor(res: ServerResponse) {
    this.#res = res
    this.#direct = res.chunkedEncoding && res.socket !== null ? res.socket : undefined
  }

  /** False when the client needs time before more is sent. */
  send(batch: SseBatch): boolean {
    if (this.#isEnded) return true
    return this.#direct === undefined ? this.#res.write(batch.plain) : this.#direct.write(batch.chunked)
  }

  /** Bytes not yet taken by the operating system. */
  get queuedBytes(): number {
    return this.#writer.writableLength
  }

  /** Whether the client needs time before more is sent. */
  get isFull(): boolean {
    return this.#writer.writableNeedDrain
  }

  /** Calls back once, when the queue is empty. */
  onceDrained(listener: () => void): void {
    this.#writer.once('drain', listener)
  }

  /** Calls back once, whichever side closed. */
  onceClosed(listener: () => void): void {
    this.#res.once('close', listener)
  }

  /** Ends the stream; a client that does not read the rest in time is cut off. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#res.end()
    const timer = setTimeout(() => this.#res.destroy(), END_TIMEOUT_MS).unref()
    this.#res.once('close', () => clearTimeout(timer))
  }

  /** Cuts off a client that reads too slowly; the stream's span says so. */
  drop(): void {
    const span = spanOf(this.#res) as Span | undefined
    span?.addEvent('drop', { queued_bytes: this.queuedBytes })
    this.#isEnded = true
    this.#res.destroy()
  }

  get #writer(): Socket | ServerResponse {
    return this.#direct ?? this.#res
  }
}
