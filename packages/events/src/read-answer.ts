import type { IncomingMessage } from 'node:http'
import { readSome } from '@taproom/http'
import { LIMITS } from '@taproom/limits'
import { reasonOf } from '@taproom/lines'
import { isCloudEventsMediaType } from './media-type.ts'
import { claimsToBeEvent, parseEvent } from './parse-event.ts'
import { parseRetryAfter } from './retry-after.ts'
import type { NotDelivered, SendOutcome } from './send-outcome.ts'

const RETRYABLE_4XX: ReadonlySet<number> = new Set([404, 408, 409, 429])
/** Kept of an error's body. */
const ERROR_BODY_BYTES = 1024
/** Read of an unwanted body, and for how long, so that the connection can be reused. */
const UNWANTED_BYTES = 64 * 1024
const UNWANTED_MS = 5000

/** Judges a subscriber's answer, reading as much of it as that takes. */
export async function classify(response: IncomingMessage, prefersReply = true): Promise<SendOutcome> {
  const status = response.statusCode ?? 0
  if (status === 200 && prefersReply) return replyIn(response)
  if (status >= 200 && status < 300) {
    passOver(response)
    return { delivered: true, status }
  }
  const body = await readSome(response, UNWANTED_BYTES)
  return outcomeOf(response, body.bytes)
}

/** For any status but 2xx. */
export function outcomeOf(response: IncomingMessage, body?: Buffer): NotDelivered {
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

/** For no answer at all; `why` is a text or the network's error. */
export function unanswered(reason: 'timeout' | 'unreachable', why: unknown): NotDelivered {
  const failure = { delivered: false, retryable: true, reason } as const
  return typeof why === 'string' ? { ...failure, detail: why } : { ...failure, detail: wordsOf(why), cause: why }
}

async function replyIn(response: IncomingMessage): Promise<SendOutcome> {
  const headers = response.headersDistinct
  const isStructured = isCloudEventsMediaType(response.headers['content-type'])
  const body = await readSome(response, isStructured ? LIMITS.structuredEventBytes : LIMITS.eventDataBytes)
  if (body.brokenBy !== undefined) return unanswered('unreachable', body.brokenBy)
  if (!claimsToBeEvent(headers)) {
    return body.bytes.length === 0 ? { delivered: true, status: 200 } : invalidReply(body.bytes)
  }
  if (body.isCut) return invalidReply(body.bytes)
  try {
    return { delivered: true, status: 200, reply: parseEvent(headers, body.bytes), headers: response.headers }
  } catch (cause) {
    return invalidReply(body.bytes, cause)
  }
}

function invalidReply(body: Buffer, cause?: unknown): NotDelivered {
  return { delivered: false, retryable: true, status: 502, reason: 'invalid-reply', body: startOf(body), cause }
}

/** Reads a short body to its end; drops the connection of a long or slow one. */
function passOver(response: IncomingMessage): void {
  let size = 0
  const timer = setTimeout(() => response.destroy(), UNWANTED_MS).unref()
  response
    .on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > UNWANTED_BYTES) response.destroy()
    })
    // The event is delivered: the rest of the answer does not matter.
    .on('error', () => {})
    .on('close', () => clearTimeout(timer))
}

function startOf(body: Buffer): Buffer {
  return Buffer.from(body.subarray(0, ERROR_BODY_BYTES))
}

/** An AggregateError, as for a name with several addresses, has no message. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join('; ').slice(0, ERROR_BODY_BYTES)
  return reasonOf(error).slice(0, ERROR_BODY_BYTES)
}
