import { type AnswerHeaders, type HttpAnswer, HttpClientError } from '@taproom/http'
import { LIMITS } from '@taproom/limits'
import { reasonOf } from '@taproom/lines'
import { isCloudEventsMediaType } from './media-type.ts'
import { claimsToBeEvent, parseEvent } from './parse-event.ts'
import { parseRetryAfter } from './retry-after.ts'
import type { NotDelivered, SendOutcome } from './send-outcome.ts'

const RETRYABLE_4XX: ReadonlySet<number> = new Set([404, 408, 409, 429])
/** Kept of an error's body. */
const ERROR_BODY_BYTES = 1024
/** Read of an error's body, so that the connection can be used again. */
const UNWANTED_BYTES = 64 * 1024

/** Judges a subscriber's answer, reading as much of it as that takes. */
export function classify(answer: HttpAnswer, prefersReply = true): SendOutcome | Promise<SendOutcome> {
  const { status } = answer
  if (status === 200 && prefersReply) return replyIn(answer)
  if (status >= 200 && status < 300) {
    // The event is delivered: the rest of the answer does not matter.
    answer.discard()
    return { delivered: true, status }
  }
  return refusalIn(answer)
}

/** For any status but 2xx, also when the body breaks off. */
async function refusalIn(answer: HttpAnswer): Promise<NotDelivered> {
  const { status, headers } = answer
  const { bytes } = await answer.read(UNWANTED_BYTES)
  const retryAfterMs =
    status === 429 || status === 503 ? parseRetryAfter(headers['retry-after']?.[0], Date.now()) : undefined
  return {
    delivered: false,
    retryable: status >= 500 || RETRYABLE_4XX.has(status),
    status,
    reason: 'status',
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(bytes.length > 0 && { body: startOf(bytes) }),
  }
}

/** For no answer at all. */
export function unanswered(cause: unknown): NotDelivered {
  const failure = { delivered: false, retryable: true, detail: wordsOf(cause) } as const
  const isLate = cause instanceof HttpClientError && cause.code === 'HTTP_TIMEOUT'
  return isLate ? { ...failure, reason: 'timeout' } : { ...failure, reason: 'unreachable', cause }
}

async function replyIn(answer: HttpAnswer): Promise<SendOutcome> {
  const { headers } = answer
  const isStructured = isCloudEventsMediaType(headers['content-type']?.[0])
  const body = await answer.read(isStructured ? LIMITS.structuredEventBytes : LIMITS.eventDataBytes)
  if (body.brokenBy !== undefined) return unanswered(body.brokenBy)
  if (!claimsToBeEvent(headers)) {
    return body.bytes.length === 0 ? { delivered: true, status: 200 } : invalidReply(body.bytes)
  }
  if (body.isCut) return invalidReply(body.bytes)
  try {
    return { delivered: true, status: 200, reply: parseEvent(headers, body.bytes), headers: joined(headers) }
  } catch (cause) {
    return invalidReply(body.bytes, cause)
  }
}

function joined(headers: AnswerHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.join(', ')]))
}

function invalidReply(body: Buffer, cause?: unknown): NotDelivered {
  return { delivered: false, retryable: true, status: 502, reason: 'invalid-reply', body: startOf(body), cause }
}

function startOf(body: Buffer): Buffer {
  return Buffer.from(body.subarray(0, ERROR_BODY_BYTES))
}

/** An AggregateError, as for a name with several addresses, has no message. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join('; ').slice(0, ERROR_BODY_BYTES)
  return reasonOf(error).slice(0, ERROR_BODY_BYTES)
}
