import { reasonOf } from '@taproom/core/lines'
import type { HeaderValue, IncomingMessage, OutgoingMessage } from './message.ts'

/** A reason is cut, because it may quote the message. */
const MAX_REASON_CHARACTERS = 1000

/** The dead letter of a message: its key, value and headers, unchanged, plus headers with the reason and its origin. */
export function deadLetterOf(message: IncomingMessage, error: unknown): OutgoingMessage {
  const { key, value, rawHeaders } = message
  // A map, because `__proto__` is a valid header name.
  const headers = new Map<string, HeaderValue | readonly HeaderValue[]>(Object.entries(rawHeaders))
  for (const [name, text] of Object.entries(originOf(message, error))) {
    const before = headers.get(name)
    // It was a dead letter before: readers take the last value.
    headers.set(name, before === undefined ? text : [before, text].flat())
  }
  return { key, value, headers: Object.fromEntries(headers), ...timeOf(message) }
}

/** The dead letter of a message that is too large: only the headers with the reason and its origin. */
export function emptyDeadLetterOf(message: IncomingMessage, error: unknown): OutgoingMessage {
  return { key: null, value: null, headers: originOf(message, error), ...timeOf(message) }
}

/** Nothing where the message has none, or one that is no number of JavaScript: the dead letter has the time at which it was written. */
function timeOf({ timestamp }: IncomingMessage): Pick<OutgoingMessage, 'timestamp'> {
  return Number.isSafeInteger(timestamp) && timestamp >= 0 ? { timestamp } : {}
}

/** The headers of SmallRye Reactive Messaging, so that its tools can read these topics. */
function originOf(message: IncomingMessage, error: unknown): Record<string, string> {
  const cause = error instanceof Error ? error.cause : undefined
  return {
    'dead-letter-reason': textOf(error),
    ...(cause !== undefined && { 'dead-letter-cause': textOf(cause) }),
    'dead-letter-topic': message.topic,
    'dead-letter-partition': String(message.partition),
    'dead-letter-offset': message.offset,
  }
}

function textOf(error: unknown): string {
  return reasonOf(error).slice(0, MAX_REASON_CHARACTERS)
}
