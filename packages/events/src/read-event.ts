import type { IncomingMessage } from 'node:http'
import { type CloudEvent, DEFAULT_BODY_LIMIT_BYTES } from './cloud-event.ts'
import { EventError } from './errors.ts'
import { parseEvent } from './parse-event.ts'

/** How much of a request is taken. */
export interface ReadEventOptions {
  /** Largest body in bytes; default 1 MiB. */
  readonly bodyLimitBytes?: number
}

/**
 * A body beyond the limit is read to its end, so that the client gets the answer and the connection stays usable, but
 * only up to this many times the limit.
 */
const DRAIN_FACTOR = 8

const LETTER_C = 0x63
/** The bit that a small letter of ASCII has and a capital one has not. */
const LOWER_CASE = 0x20

/**
 * Reads one event from a request whose body nothing has read yet, in binary or structured mode.
 *
 * @throws EventError as `parseEvent` does, also for a repeated `ce-` or `Content-Type` header, a `Content-Encoding`, and
 * with status 413 for a body beyond the limit.
 * Rejects with the connection's own error when the client leaves before the end.
 */
export function readEvent(request: IncomingMessage, options: ReadEventOptions = {}): Promise<CloudEvent> {
  return new Promise((resolve, reject) => {
    takeEvent(request, { bodyLimitBytes: options.bodyLimitBytes, onEvent: resolve, onError: reject })
  })
}

/** What {@link takeEvent} ends with: one of the two, once. */
export interface EventTaker {
  readonly bodyLimitBytes?: number | undefined
  readonly onEvent: (event: CloudEvent) => void
  readonly onError: (error: unknown) => void
}

/** Like {@link readEvent}, without a promise: a receiver of many events feels the difference. */
export function takeEvent(request: IncomingMessage, taker: EventTaker): void {
  readBody(request, taker.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES, (error, body) => {
    if (body === undefined) return taker.onError(error)
    let event: CloudEvent
    try {
      event = eventIn(request, body)
    } catch (thrown) {
      return taker.onError(thrown)
    }
    taker.onEvent(event)
  })
}

function eventIn(request: IncomingMessage, body: Buffer): CloudEvent {
  checkNotRepeated(request)
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new EventError('invalid-data', 'data', `Content-Encoding ${encoding} is not supported`)
  }
  return parseEvent(request.headers, body)
}

/** Calls `done` once: with the body, or with an error. */
function readBody(request: IncomingMessage, limitBytes: number, done: (error?: unknown, body?: Buffer) => void): void {
  if (request.readableDidRead) {
    done(new TypeError('the body was read already: receive events before any body parser'))
    return
  }
  const drainBytes = limitBytes * DRAIN_FACTOR
  if (Number(request.headers['content-length'] ?? 0) > drainBytes) {
    request.resume()
    done(tooLarge(limitBytes))
    return
  }
  const chunks: Buffer[] = []
  let size = 0
  let isDone = false
  const fail = (error: unknown) => {
    if (isDone) return
    isDone = true
    done(error)
  }
  request
    .on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limitBytes) chunks.push(chunk)
      else chunks.length = 0
      if (size > drainBytes) fail(tooLarge(limitBytes))
    })
    .on('end', () => {
      if (size > limitBytes) return fail(tooLarge(limitBytes))
      if (isDone) return
      isDone = true
      done(undefined, chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
    })
    .on('error', fail)
    .on('close', () => {
      // Every request is closed at last, and an error costs as much as reading an event.
      if (!isDone) fail(new Error('the client left before the end of the event'))
    })
}

/** Looks at the raw headers alone: the others are joined where they are repeated, and anything that ran before may have added to them. */
function checkNotRepeated({ rawHeaders }: IncomingMessage): void {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? ''
    // Most headers are told apart by their first letter, which is quicker than by a copy in lower case.
    if ((raw.charCodeAt(0) | LOWER_CASE) !== LETTER_C) continue
    const name = raw.toLowerCase()
    const isContentType = name === 'content-type'
    if (!isContentType && !name.startsWith('ce-')) continue
    if (seen.has(name)) {
      const attribute = isContentType ? 'datacontenttype' : name.slice(3)
      throw new EventError('repeated-attribute', attribute, `${attribute} is given more than once`)
    }
    seen.add(name)
  }
}

function tooLarge(limitBytes: number): EventError {
  return new EventError('data-too-large', 'data', `the event is larger than ${limitBytes} bytes`)
}
