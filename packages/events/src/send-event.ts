import type { Agent, AgentOptions, ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { CloudEvent } from './cloud-event.ts'
import { classify, outcomeOf, unanswered } from './read-answer.ts'
import type { SendOutcome } from './send-outcome.ts'
import { toStructuredMode } from './structured-mode.ts'
import { headerBytes, toMessage } from './to-message.ts'

/** One attempt to hand an event to a subscriber. */
export interface SendOptions {
  /** Where to POST: http or https. */
  readonly url: string | URL
  /** Path and query, percent-encoded, in place of those of `url`: one URL serves for many paths and is parsed once. */
  readonly path?: string
  readonly event: CloudEvent
  /** Further headers, names in lower case; the event's own win, and one whose value HTTP cannot carry is left out. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether `Prefer: reply` asks for an event in the answer; default true. If it does not, every 2xx is delivered, whatever it carries. */
  readonly prefersReply?: boolean
  /** From the first byte sent to the last byte read. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** Content mode; default `binary`, with structured mode for what that cannot carry. */
  readonly format?: 'binary' | 'json'
  /** Connections to use; default Node's global agent, which keeps them alive. */
  readonly agent?: Agent
}

const ONE_PIECE_BYTES = 16 * 1024
/** What Node lets a header hold. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** Request line and headers that Node adds, without the URL. */
const REQUEST_BYTES = 160

/**
 * Sends an event once, with `Prefer: reply`, and says what became of it: a network error, a timeout and any status
 * resolve; redirects are not followed. A 200 must be empty or carry an event, which is the reply; other 2xx are
 * delivered whatever they carry.
 *
 * A kept-alive connection that is reset before any byte of an answer may have been closed by the other side in the same moment, which
 * says nothing of the subscriber: then the event is sent once more, over a new connection and within the same time.
 *
 * @throws the signal's reason when it aborts; TypeError when `url` is not http or https.
 * Source: Knative Eventing delivery specification, as table-tested here.
 */
export async function sendEvent(options: SendOptions): Promise<SendOutcome> {
  options.signal?.throwIfAborted()
  const post = preparePost(options)
  const endsAt = performance.now() + options.timeoutMs
  const first = await attempt(() => post(options.agent), options, options.timeoutMs)
  if (!first.isStale) return first.outcome
  const again = await attempt(() => post('new-connection'), options, endsAt - performance.now())
  return again.outcome
}

interface Attempt {
  readonly outcome: SendOutcome
  /** Whether the connection was used before and says nothing of the subscriber. */
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
      // What comes after an answer, or breaks its body off, is for `classify`, which has the answer, to judge.
      if (answered !== undefined) return
      const isReset = cause.code === 'ECONNRESET' || cause.code === 'EPIPE'
      end(unanswered('unreachable', cause), isReset && request.reusedSocket && socket?.bytesRead === bytesBefore)
    })

  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  })
}

/** Posts what is sent, which is written once, over a connection of the agent or over a new one. */
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
  // Loading the client only when something is sent keeps receivers quick to start.
  const http = process.getBuiltinModule(target.protocol === 'https:' ? 'node:https' : 'node:http')
  const to = { method: 'POST', ...(path !== undefined && { path }) }
  return (agent) => {
    const connection = agent === 'new-connection' ? withoutKeepAlive(http.Agent, options.agent) : agent
    const request = http.request(target, { ...to, headers: all, ...(connection && { agent: connection }) })
    // As text a small body goes out in one piece with the head; Latin-1 is one character for each byte.
    if (body !== undefined && body.length <= ONE_PIECE_BYTES) request.end(body.toString('latin1'), 'latin1')
    else request.end(body)
    return request
  }
}

/** An agent like the given one that uses each connection once. */
function withoutKeepAlive(kind: new (options: AgentOptions) => Agent, like: Agent | undefined): Agent {
  // Every agent has its options, which Node's types do not know.
  const { options } = (like ?? {}) as { readonly options?: AgentOptions }
  return new kind({ ...options, keepAlive: false })
}

function sendable(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => HEADER_VALUE.test(value)))
}
