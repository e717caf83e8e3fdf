import { LIMITS } from '@taproom/core/limits'
import { reasonOf } from '@taproom/core/lines'
import { type AnswerHead, type AnswerHeaders, type HttpAnswer, HttpClientError } from '@taproom/http'
import type { ParseOptions } from './event-draft.ts'
import { isCloudEventsMediaType } from './media-type.ts'
import { claimsToBeEvent, parseEvent } from './parse-event.ts'
import { parseRetryAfter } from './retry-after.ts'
import type { NotDelivered, SendOutcome } from './send-outcome.ts'

const RETRYABLE_4XX: ReadonlySet<number> = new Set([404, 408, 409, 429])
/** Kept of an error's body. */
const ERROR_BODY_BYTES = 1024
/** Read of an error's body, so that the connection can be used again. */
const UNWANTED_BYTES = 64 * 1024

/** How much of a subscriber's answer is read. Where 2xx is all that counts, the rest of the answer does not matter. */
export function wantedBytes({ status, headers }: AnswerHead, prefersReply: boolean): number {
  if (status < 200 || status >= 300) return UNWANTED_BYTES
  if (status !== 200 || !prefersReply) return 0
  return isCloudEventsMediaType(firstOf(headers, 'content-type')) ? LIMITS.structuredEventBytes : LIMITS.eventDataBytes
}

/** Judges a subscriber's answer. */
export function classify(
  answer: HttpAnswer,
  { prefersReply = true, passesOn = false }: { readonly prefersReply?: boolean; readonly passesOn?: boolean } = {},
): SendOutcome {
  const { status } = answer
  if (status === 200 && prefersReply) return replyIn(answer, { passesOn })
  return status >= 200 && status < 300 ? { delivered: true, status } : refusalIn(answer)
}

/** For any status but 2xx, also when the body breaks off. */
function refusalIn({ status, headers, body: { bytes } }: HttpAnswer): NotDelivered {
  const retryAfter = status === 429 || status === 503 ? firstOf(headers, 'retry-after') : undefined
  const retryAfterMs = parseRetryAfter(retryAfter, Date.now())
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

function replyIn({ headers, body }: HttpAnswer, options: ParseOptions): SendOutcome {
  if (body.brokenBy !== undefined) return unanswered(body.brokenBy)
  if (!claimsToBeEvent(headers)) {
    return body.bytes.length === 0 ? { delivered: true, status: 200 } : invalidReply(body.bytes)
  }
  if (body.isCut) return invalidReply(body.bytes)
  try {
    return { delivered: true, status: 200, reply: parseEvent(headers, body.bytes, options), headers: joined(headers) }
  } catch (cause) {
    return invalidReply(body.bytes, cause)
  }
}

function joined(headers: AnswerHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [values].flat().join(', ')]))
}

/** The first one. */
function firstOf(headers: AnswerHeaders, name: string): string | undefined {
  return [headers[name]].flat()[0]
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
