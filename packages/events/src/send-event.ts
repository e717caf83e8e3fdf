import { clientSpan, tracing } from '@taproom/core/spans'
import { type AnswerHead, HttpClient, HttpClientError, type HttpRequest, isHeaderValue } from '@taproom/http'
import type { CloudEventV1 } from 'cloudevents'
import { classify, unanswered, wantedBytes } from './read-answer.ts'
import type { SendOutcome } from './send-outcome.ts'
import { headerBytes, writeMessage } from './to-message.ts'

export interface SendOptions {
  /** Where to POST: http or https. */
  readonly url: string | URL
  /** Percent-encoded path and query that replace those of `url`: a URL parsed once then serves many paths. */
  readonly path?: string
  readonly event: CloudEventV1<unknown>
  /** Further headers, names in lower case. The event's own headers win; values that HTTP cannot carry are left out. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Whether to ask for an event in the answer (`Prefer: reply`); default true. If false, any 2xx counts as delivered, whatever it carries.
   */
  readonly prefersReply?: boolean
  /** From when it is asked for to the last byte read, the wait for a connection included. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /**
   * Content mode, for a receiver that wants one. Default: binary mode, or structured mode for an event of which binary mode would lose
   * something. Data that is an event itself goes out in structured mode in any case.
   */
  readonly format?: 'binary' | 'json' | undefined
  /**
   * True for an event that is passed on, as brokers do. Headers go out as they came, if the event was read with `passesOn`; other attributes are
   * encoded only where HTTP cannot carry them, as SDKs in use do not decode; a reply is read with `passesOn`. Default false.
   */
  readonly passesOn?: boolean
  /** The client that sends the event. Default: one for all events, with at most 1024 connections to an address. */
  readonly client?: HttpClient
}

/** Connects with its first request. */
const DEFAULT_CLIENT = new HttpClient({ maxConnections: 1024 })
const NO_DATA = Buffer.alloc(0)
/** The request line and the headers that the client adds, without the URL. */
const REQUEST_BYTES = 160

/**
 * Sends an event once. Network errors, timeouts and any status resolve to an outcome; redirects are not followed. With `Prefer: reply` a
 * 200 must be empty or carry the reply event; any other 2xx is delivered.
 *
 * When a kept-alive connection is reset before any byte of an answer, the other side may just have closed it as idle: the event is sent
 * once more, over a new connection and within the same time.
 *
 * @throws {TypeError} when `url` is not http or https; the signal's reason when it aborts
 * @throws {HttpClientError} with `HTTP_REQUEST_INVALID` when the path cannot be sent
 * Source: Knative Eventing delivery specification, as table-tested here.
 */
export function sendEvent(options: SendOptions): Promise<SendOutcome> {
  return tracing() === undefined ? send(options) : sendInSpan(options)
}

async function sendInSpan(options: SendOptions): Promise<SendOutcome> {
  options.signal?.throwIfAborted()
  const url = () => new URL(options.path ?? '', options.url)
  const span = clientSpan('@taproom/events', { method: 'POST', url })
  if (span === undefined) return await send(options)
  const traced = { ...options, headers: { ...options.headers, ...span.headers } }
  if (!span.isRecorded) return await send(traced)
  try {
    const outcome = await send(traced)
    if (outcome.status !== undefined) span.answered(outcome.status)
    span.end(outcome.delivered || outcome.status !== undefined ? undefined : outcome.reason)
    return outcome
  } catch (error) {
    span.end(error)
    throw error
  }
}

async function send(options: SendOptions): Promise<SendOutcome> {
  const { signal } = options
  signal?.throwIfAborted()
  try {
    const answer = await (options.client ?? DEFAULT_CLIENT).request(requestOf(options))
    signal?.throwIfAborted()
    return classify(answer, options)
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof TypeError) throw cause
    if (cause instanceof HttpClientError && cause.code === 'HTTP_REQUEST_INVALID') throw cause
    return unanswered(cause)
  }
}

function requestOf(options: SendOptions): HttpRequest {
  const { url, path, event, prefersReply = true, format, passesOn, timeoutMs, signal } = options
  const headers: Record<string, string> = prefersReply ? { prefer: 'reply' } : {}
  for (const name in options.headers) {
    const value = options.headers[name] ?? ''
    if (isHeaderValue(value)) headers[name] = value
  }
  const urlLength = typeof url === 'string' ? url.length : url.href.length
  const otherBytes = REQUEST_BYTES + urlLength + (path?.length ?? 0) + headerBytes(headers)
  const message = writeMessage(event, { otherHeaderBytes: otherBytes, format, passesOn })
  const { body = NO_DATA } = message
  Object.assign(headers, message.headers)
  const limitBytes = (head: AnswerHead) => wantedBytes(head, prefersReply)
  return { method: 'POST', url, path, headers, body, timeoutMs, signal, limitBytes, isRepeatable: true }
}
