import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import { type EventMessage, toBinaryMode } from './binary-mode.ts'
import { type CloudEvent, DEFAULT_BODY_LIMIT_BYTES } from './cloud-event.ts'
import { claimsToBeEvent, parseEvent } from './parse-event.ts'
import { parseRetryAfter } from './retry-after.ts'
import type { NotDelivered, SendOutcome } from './send-outcome.ts'
import { toStructuredMode } from './structured-mode.ts'

/** One attempt to hand an event to a subscriber. */
export interface SendOptions {
  /** Where to POST: http or https. */
  readonly url: string | URL
  readonly event: CloudEvent
  /** Further headers, names in lower case; the event's own win. */
  readonly headers?: Readonly<Record<string, string>>
  /** From the first byte sent to the last byte read. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** Content mode; default `binary`. */
  readonly format?: 'binary' | 'json'
  /** Connections to use; default Node's global agent, which keeps them alive. */
  readonly agent?: Agent
}

const RETRYABLE_4XX: ReadonlySet<number> = new Set([404, 408, 409, 429])
const ERROR_BODY_CHARACTERS = 1024
const ONE_PIECE_BYTES = 16 * 1024
/** 1024 characters are at most this many bytes of UTF-8. */
const ERROR_BODY_BYTES = ERROR_BODY_CHARACTERS * 4

/**
 * Sends an event once, with `Prefer: reply`, and says what became of it: a network error, a timeout and any status
 * resolve; redirects are not followed. A 200 must be empty or carry an event, which is the reply; other 2xx are
 * delivered whatever they carry.
 *
 * @throws the signal's reason when it aborts; TypeError when `url` is not http or https.
 * Source: Knative Eventing delivery specification, as table-tested here.
 */
export async function sendEvent(options: SendOptions): Promise<SendOutcome> {
  options.signal?.throwIfAborted()
  for (;;) {
    const outcome = await attempt(options)
    // A kept-alive connection may have been closed by the other side in the same moment: that says nothing of the subscriber. All
    // idle ones may have been; each is met once, and a new connection is never stale.
    if (outcome !== 'stale-connection') return outcome
  }
}

function attempt(options: SendOptions): Promise<SendOutcome | 'stale-connection'> {
  const { promise, resolve, reject } = Promise.withResolvers<SendOutcome | 'stale-connection'>()
  const { timeoutMs, signal } = options
  const request = openRequest(options)
  let answered: IncomingMessage | undefined

  const onAbort = () => {
    reject(signal?.reason)
    request.destroy()
  }
  const onTimeout = () => {
    resolve(answered === undefined || answered.statusCode === 200 ? failure('timeout') : statusFailure(answered))
    request.destroy()
  }
  const timer = setTimeout(onTimeout, timeoutMs)
  signal?.addEventListener('abort', onAbort, { once: true })

  request
    .on('response', (response) => {
      answered = response
      classify(response).then(resolve, (cause: unknown) => resolve(failure('unreachable', cause)))
    })
    .on('upgrade', (response, socket) => {
      socket.destroy()
      resolve(statusFailure(response))
    })
    .on('error', (cause: NodeJS.ErrnoException) => {
      const isStale =
        request.reusedSocket && answered === undefined && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE')
      resolve(isStale ? 'stale-connection' : failure('unreachable', cause))
    })

  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  })
}

function openRequest({ url, event, headers, format, agent }: SendOptions): ClientRequest {
  const target = typeof url === 'string' ? new URL(url) : url
  if (target.protocol !== 'http:' && target.protocol !== 'https:') {
    throw new TypeError(`url must be http or https, not ${target.protocol}`)
  }
  const message: EventMessage = format === 'json' ? toStructuredMode(event) : toBinaryMode(event)
  // Loading the client only when something is sent keeps receivers quick to start.
  const http = process.getBuiltinModule(target.protocol === 'https:' ? 'node:https' : 'node:http')
  const request = http.request(target, {
    method: 'POST',
    headers: { prefer: 'reply', ...headers, ...message.headers, 'content-length': message.body?.length ?? 0 },
    ...(agent && { agent }),
  })
  // As text a small body goes out in one piece with the head; Latin-1 is one character for each byte.
  const { body } = message
  if (body !== undefined && body.length <= ONE_PIECE_BYTES) request.end(body.toString('latin1'), 'latin1')
  else request.end(body)
  return request
}

async function classify(response: IncomingMessage): Promise<SendOutcome> {
  const status = response.statusCode ?? 0
  if (status === 200) return replyIn(response)
  if (status > 200 && status < 300) {
    response.resume()
    return { delivered: true, status }
  }
  const body = await readSome(response, ERROR_BODY_BYTES)
  return statusFailure(response, body.bytes)
}

async function replyIn(response: IncomingMessage): Promise<SendOutcome> {
  const body = await readSome(response, DEFAULT_BODY_LIMIT_BYTES)
  if (body.brokenBy !== undefined) return failure('unreachable', body.brokenBy)
  const headers = response.headersDistinct
  if (!claimsToBeEvent(headers)) {
    return body.bytes.length === 0 ? { delivered: true, status: 200 } : invalidReply(body.bytes)
  }
  if (body.isCut) return invalidReply(body.bytes)
  try {
    return { delivered: true, status: 200, reply: parseEvent(headers, body.bytes) }
  } catch (cause) {
    return invalidReply(body.bytes, cause)
  }
}

interface SomeBody {
  readonly bytes: Buffer
  /** Whether there was more than the limit. */
  readonly isCut: boolean
  /** The error that ended the body too early. */
  readonly brokenBy?: unknown
}

/** Reads at most `limitBytes`; a longer answer's connection is given up. */
async function readSome(response: IncomingMessage, limitBytes: number): Promise<SomeBody> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > limitBytes) return { bytes: Buffer.concat(chunks).subarray(0, limitBytes), isCut: true }
    }
  } catch (brokenBy) {
    return { bytes: Buffer.concat(chunks), isCut: false, brokenBy }
  }
  return { bytes: Buffer.concat(chunks), isCut: false }
}

function statusFailure(response: IncomingMessage, body?: Buffer): NotDelivered {
  const status = response.statusCode ?? 0
  const retryAfterMs =
    status === 429 || status === 503 ? parseRetryAfter(response.headers['retry-after'], Date.now()) : undefined
  return {
    delivered: false,
    retryable: status >= 500 || RETRYABLE_4XX.has(status),
    status,
    reason: 'status',
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(body !== undefined && body.length > 0 && { body: startOf(body) }),
  }
}

function invalidReply(body: Buffer, cause?: unknown): NotDelivered {
  return { delivered: false, retryable: true, status: 502, reason: 'invalid-reply', body: startOf(body), cause }
}

function failure(reason: 'timeout' | 'unreachable', cause?: unknown): NotDelivered {
  return { delivered: false, retryable: true, reason, ...(cause !== undefined && { cause }) }
}

function startOf(body: Buffer): string {
  return body.subarray(0, ERROR_BODY_BYTES).toString().slice(0, ERROR_BODY_CHARACTERS)
}
