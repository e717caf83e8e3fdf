import { setTimeout as delay } from 'node:timers/promises'
import { readSse } from '@taproom/testkit'

export interface SeenBeer {
  readonly id: string
  readonly data: string
}

/** A client of `GET /beer` that reconnects with `Last-Event-ID` whenever its stream ends. */
export interface StreamClient extends AsyncDisposable {
  readonly seen: readonly SeenBeer[]
  /** How many streams it got. */
  readonly connections: number
  /** Streams that ended with `stream-error`. */
  readonly streamErrors: number
}

export interface StreamClientOptions {
  /** Wait before a stream is opened again, in milliseconds. Default 100. */
  readonly reconnectMs?: number
}

/** Opens a client that goes on until it is disposed of. */
export function openStreamClient(url: string, { reconnectMs = 100 }: StreamClientOptions = {}): StreamClient {
  const over = new AbortController()
  const seen: SeenBeer[] = []

  async function read(): Promise<void> {
    const last = seen.at(-1)
    const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last.id }
    let isFirst = true
    for await (const { event, id, data } of readSse(`${url}/beer`, { headers, signal: over.signal })) {
      if (isFirst) client.connections += 1
      isFirst = false
      if (event === 'message') seen.push({ id: id ?? '', data })
      else if (event === 'stream-error') client.streamErrors += 1
    }
  }

  async function keepReading(): Promise<void> {
    while (!over.signal.aborted) {
      // The server was killed, or does not listen yet.
      await read().catch(() => undefined)
      await delay(reconnectMs, undefined, { signal: over.signal }).catch(() => undefined)
    }
  }

  const client = {
    seen,
    connections: 0,
    streamErrors: 0,
    async [Symbol.asyncDispose]() {
      over.abort()
      await reading
    },
  }
  const reading = keepReading()
  return client
}
