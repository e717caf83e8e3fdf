import type { Attributes, Span } from '@opentelemetry/api'
import type { Tracing } from './spans.ts'
import { tracing } from './tracing.ts'

/** A request that this process sends. */
export interface ClientRequest {
  readonly method: string
  /** As a function where making it costs something: it is not called for a span that is not recorded. */
  readonly url: URL | (() => URL)
}

/** The span of a request that is sent, and the headers that carry it to the server. */
export class ClientSpan {
  readonly headers: Readonly<Record<string, string>>
  readonly #traces: Tracing
  #span: Span | undefined

  constructor(traces: Tracing, span: Span | undefined) {
    this.#traces = traces
    this.#span = span
    this.headers = traces.inject(span)
  }

  /** Whether anything is to be told of it. */
  get isRecorded(): boolean {
    return this.#span?.isRecording() === true
  }

  /** The answer's head is there; from 400 on the request has failed. */
  answered(status: number): void {
    this.#span?.setAttribute('http.response.status_code', status)
    if (status >= 400 && this.#span !== undefined) this.#traces.failed(this.#span, String(status))
  }

  /** The request is over, with the error if it has failed; only the first call counts. */
  end(error?: unknown): void {
    if (this.#span === undefined) return
    if (error !== undefined) this.#traces.failed(this.#span, error)
    this.#span.end()
    this.#span = undefined
  }
}

/**
 * Begins the span of a request, by the semantic conventions for HTTP clients; undefined when nothing is traced. Credentials and query are left
 * out of its `url.full`.
 */
export function clientSpan(scope: string, { method, url }: ClientRequest): ClientSpan | undefined {
  const traces = tracing()
  if (traces === undefined) return undefined
  return new ClientSpan(
    traces,
    traces.start(scope, method, {
      kind: 'client',
      attributes: () => requestAttributes(method, typeof url === 'function' ? url() : url),
    }),
  )
}

function requestAttributes(method: string, url: URL): Attributes {
  return {
    'http.request.method': method,
    'server.address': url.hostname,
    'server.port': url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
    'url.full': `${url.protocol}//${url.host}${url.pathname}`.slice(0, MAX_URL),
  }
}

const MAX_URL = 1000
