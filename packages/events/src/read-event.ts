import type { IncomingMessage } from 'node:http'
import { takeBody } from '@taproom/http'
import { LIMITS } from '@taproom/limits'
import type { CloudEvent } from './cloud-event.ts'
import { EventError } from './errors.ts'
import { dataTooLarge, type ParseOptions } from './event-draft.ts'
import { isCloudEventsMediaType } from './media-type.ts'
import { parseEvent } from './parse-event.ts'

/** How much of a request is taken: of data `dataLimitBytes`, and so much more of a body in structured mode as that makes of it. */
export interface ReadEventOptions extends ParseOptions {
  /** Told the size of each piece of the body that is kept; what it throws refuses the event, and the rest is read and forgotten. */
  readonly onBytes?: (bytes: number) => void
}

/**
 * A body beyond the limit is read to its end, so that the client gets the answer and the connection stays usable, but
 * only up to this many times the limit.
 */
const DRAIN_FACTOR = 8

/** A larger event is read and handled in two turns of the event loop, because each may hold it for a while. */
const LARGE_BYTES = 128 * 1024

const LETTER_C = 0x63
/** The bit that a small letter of ASCII has and a capital one has not. */
const LOWER_CASE = 0x20

/**
 * Reads one event from a request whose body nothing has read yet, in binary or structured mode.
 *
 * @throws EventError as `parseEvent` does, also for a repeated `ce-` or `Content-Type` header, a `Content-Encoding`, and
 * with status 413 for data or a body beyond the limit.
 * Rejects with the connection's own error when the client leaves before the end.
 */
export function readEvent(request: IncomingMessage, options: ReadEventOptions = {}): Promise<CloudEvent> {
  return new Promise((resolve, reject) => {
    takeEvent(request, { options, onEvent: resolve, onError: reject })
  })
}

/** What {@link takeEvent} ends with: one of the two, once. */
export interface EventTaker {
  readonly options: ReadEventOptions
  readonly onEvent: (event: CloudEvent) => void
  readonly onError: (error: unknown) => void
}

/** Like {@link readEvent}, without a promise: a receiver of many events feels the difference. */
export function takeEvent(request: IncomingMessage, { options, onEvent, onError }: EventTaker): void {
  if (request.readableDidRead) {
    onError(new TypeError('the body was read already: receive events before any body parser'))
    return
  }
  const { dataLimitBytes = LIMITS.eventDataBytes, onBytes } = options
  const isStructured = isCloudEventsMediaType(request.headers['content-type'])
  const limitBytes = isStructured ? structuredLimit(dataLimitBytes) : dataLimitBytes
  takeBody(request, {
    limitBytes,
    drainBytes: limitBytes * DRAIN_FACTOR,
    onBytes,
    onTooLarge: () => onError(isStructured ? eventTooLarge(limitBytes) : dataTooLarge(limitBytes)),
    onError,
    onBody(body) {
      let event: CloudEvent
      try {
        event = eventIn(request, body, options)
      } catch (thrown) {
        onError(thrown)
        return
      }
      if (body.length > LARGE_BYTES) setImmediate(() => onEvent(event))
      else onEvent(event)
    },
  })
}

function eventIn(request: IncomingMessage, body: Buffer, options: ReadEventOptions): CloudEvent {
  checkNotRepeated(request)
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new EventError('invalid-data', 'data', `Content-Encoding ${encoding} is not supported`)
  }
  return parseEvent(request.headers, body, options)
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

/** Bytes of an event in structured mode whose data may be so long; never less than what holds any attributes. */
function structuredLimit(dataLimitBytes: number): number {
  const growth = LIMITS.structuredEventBytes / LIMITS.eventDataBytes
  return Math.max(LIMITS.structuredEventBytes, dataLimitBytes * growth)
}

function eventTooLarge(limitBytes: number): EventError {
  const rule = `an event in structured mode must not be larger than ${limitBytes} bytes`
  return new EventError('data-too-large', 'data', rule)
}
