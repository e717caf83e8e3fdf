import type { Agent, AgentOptions, ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { clientSpan, tracing } from '@taproom/spans'
import type { CloudEvent } from './cloud-event.ts'
import { classify, outcomeOf, unanswered } from './read-answer.ts'
import type { SendOutcome } from './send-outcome.ts'
import { toStructuredMode } from './structured-mode.ts'
import { headerBytes, toMessage } from './to-message.ts'

export interface SendOptions {
  /** Where to POST: http or https. */
  readonly url: string | URL
  /** Percent-encoded path and query that replace those of `url`: a URL parsed once then serves many paths. */
  readonly path?: string
  readonly event: CloudEvent
  /** Further headers, names in lower case. The event's own headers win; values that HTTP cannot carry are left out. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Whether to ask for an event in the answer (`Prefer: reply`); default true. If false, any 2xx counts as delivered, whatever it carries.
   */
  readonly prefersReply?: boolean
  /** From the first byte sent to the last byte read. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** Content mode; default `binary`, falling back to structured mode for events that it cannot carry. */
  readonly format?: 'binary' | 'json'
  /** Default: Node's global agent, which keeps connections alive; `NODE_TLS_REJECT_UNAUTHORIZED` makes it trust no further certificate. */
  readonly agent?: Agent
}

const ONE_PIECE_BYTES = 16 * 1024
/** Characters that Node allows in a header. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** The request line and the headers that Node adds, without the URL. */
const REQUEST_BYTES = 160

/**
 * Sends an event once. Network errors, timeouts and any status resolve to an outcome; redirects are not followed. With `Prefer: reply` a
 * 200 must be empty or carry the reply event; any other 2xx is delivered.
 *
 * When a kept-alive connection is reset before any byte of an answer, the other side may just have closed it as idle: the event is sent
 * once more, over a new connection and within the same time.
 *
 * @throws {TypeError} when `url` is not http or https; the signal's reason when it aborts
 * Source: Knative Eventing delivery specification, as table-tested here.
 */
export async function sendEvent(options: SendOptions): Promise<SendOutcome> {
  options.signal?.throwIfAborted()
  if (tracing() === undefined) return await send(options)
  const url = () => new URL(options.path ?? '', options.url)
  const span = clientSpan('@taproom/events', { method: 'POST', url })
  if (span === undefined) return await send(options)
  try {
    const outcome = await send({ ...options, headers: { ...options.headers, ...span.headers } })
    if (outcome.status !== undefined) span.answered(outcome.status)
    span.end(outcome.delivered || outcome.status !== undefined ? undefined : outcome.reason)
    return outcome
  } catch (error) {
    span.end(error)
    throw error
  }
}

async function send(options: SendOptions): Promise<SendOutcome> {
  const post = preparePost(options)
  const endsAt = performance.now() + options.timeoutMs
  const first = await attempt(() => post(options.agent), options, options.timeoutMs)
  if (!first.isStale) return first.outcome
  const again = await attempt(() => post('new-connection'), options, endsAt - performance.now())
  return again.outcome
}

interface Attempt {
  readonly outcome: SendOutcome
  /** A reused connection closed before any answer, which says nothing about the subscriber. */
  readonly isStale: boolean
}

function attempt(post: () => ClientRequest, options: SendOptions, leftMs: number): Promise<Attempt> {
  const { promise, resolve, reject } = Promise.withResolvers<Attempt>()
  const { timeoutMs, signal } = options
  const end = (outcome: SendOutcome, isStale = false) => resolve({ outcome, isStale })
  const request = post()
  let answered: IncomingMessage | undefined
  let socket: Socket | undefined
  let bytesBefore = 0

  const onAbort = () => {
    reject(signal?.reason)
    request.destroy()
  }
  const onTimeout = () => {
    if (answered === undefined || answered.statusCode === 200) {
      end(unanswered('timeout', `no answer within ${timeoutMs} ms`))
    } else {
      end(outcomeOf(answered))
    }
    request.destroy()
  }
  const timer = setTimeout(onTimeout, Math.max(leftMs, 0))
  signal?.addEventListener('abort', onAbort, { once: true })

  request
    .on('socket', (taken) => {
      socket = taken
      bytesBefore = taken.bytesRead
    })
    .on('response', (response) => {
      answered = response
      classify(response, options.prefersReply).then(end, (cause: unknown) => end(unanswered('unreachable', cause)))
    })
    .on('upgrade', (response, upgraded) => {
      upgraded.destroy()
      end(outcomeOf(response))
    })
    .on('error', (cause: NodeJS.ErrnoException) => {
      // Errors after the answer's head are for `classify` to judge.
      if (answered !== undefined) return
      const isReset = cause.code === 'ECONNRESET' || cause.code === 'EPIPE'
      end(unanswered('unreachable', cause), isReset && request.reusedSocket && socket?.bytesRead === bytesBefore)
    })

  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  })
}

/** Encodes the event once, for one or two posts: over a connection of the agent or a new one. */
function preparePost(options: SendOptions): (agent: Agent | 'new-connection' | undefined) => ClientRequest {
  const { url, path, event, headers = {}, prefersReply = true, format } = options
  const target = typeof url === 'string' ? new URL(url) : url
  if (target.protocol !== 'http:' && target.protocol !== 'https:') {
    throw new TypeError(`url must be http or https, not ${target.protocol}`)
  }
  const others = { ...(prefersReply && { prefer: 'reply' }), ...sendable(headers) }
  const otherBytes = REQUEST_BYTES + target.href.length + (path?.length ?? 0) + headerBytes(others)
  const message = format === 'json' ? toStructuredMode(event) : toMessage(event, otherBytes)
  const { body } = message
  const all: OutgoingHttpHeaders = { ...others, ...message.headers, 'content-length': body?.length ?? 0 }
  // Loaded only to send: receivers start faster without it.
  const http = process.getBuiltinModule(target.protocol === 'https:' ? 'node:https' : 'node:http')
  // Said, because the variable NODE_TLS_REJECT_UNAUTHORIZED changes the default; an agent's own setting wins.
  const to = { method: 'POST', rejectUnauthorized: true, ...(path !== undefined && { path }) }
  return (agent) => {
    const connection = agent === 'new-connection' ? withoutKeepAlive(http.Agent, options.agent) : agent
    const request = http.request(target, { ...to, headers: all, ...(connection && { agent: connection }) })
    // A body as text is sent in one piece with the head; Latin-1 keeps its bytes.
    if (body !== undefined && body.length <= ONE_PIECE_BYTES) request.end(body.toString('latin1'), 'latin1')
    else request.end(body)
    return request
  }
}

/** A copy of the agent that uses each connection once. */
function withoutKeepAlive(kind: new (options: AgentOptions) => Agent, like: Agent | undefined): Agent {
  // Node's types lack `options`, which every agent has.
  const { options } = (like ?? {}) as { readonly options?: AgentOptions }
  return new kind({ ...options, keepAlive: false })
}

function sendable(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => HEADER_VALUE.test(value)))
}
