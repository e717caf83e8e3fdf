import { EventSourceParserStream } from 'eventsource-parser/stream'

/** One server-sent event, as EventSource would deliver it. */
export interface ServerSentEvent {
  readonly event: string
  readonly id: string | undefined
  readonly data: string
}

/**
 * Reads a server-sent event stream until the server ends it, the signal aborts or the caller stops iterating.
 *
 * @throws {Error} when the answer is not 200 `text/event-stream`
 */
export async function* readSse(
  url: string,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal } = {},
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const stop = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  try {
    const response = await fetch(url, { headers: { accept: 'text/event-stream', ...options.headers }, signal })
    const type = response.headers.get('content-type') ?? ''
    if (response.status !== 200 || !type.startsWith('text/event-stream') || response.body === null) {
      throw new Error(`not an event stream: GET ${url} answered ${response.status} ${type}`)
    }
    for await (const event of response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())) {
      yield { event: event.event ?? 'message', id: event.id, data: event.data }
    }
  } catch (error) {
    if (options.signal?.aborted !== true) throw error
  } finally {
    stop.abort()
  }
}
