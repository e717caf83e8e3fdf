import type { IncomingMessage } from 'node:http'
import { LIMITS } from '@taproom/core/limits'
import { inThisSpan } from '@taproom/core/spans'
import { takeBody } from '@taproom/http'
import type { CloudEventV1 } from 'cloudevents'
import { EventError, invalidData } from './errors.ts'
import { type ParseOptions, tooLarge } from './event-draft.ts'
import { isCloudEventsMediaType } from './media-type.ts'
import { parseEvent } from './parse-event.ts'

/** `dataLimitBytes` bounds the data; a body in structured mode may be larger by what that mode adds. */
export interface ReadEventOptions extends ParseOptions {
  /** Called with the size of each piece of the body that is kept. If it throws, the event is refused with that error. */
  readonly onBytes?: (bytes: number) => void
}

/** A body beyond the limit is read up to this many times the limit, so that the client gets the answer and the connection stays usable. */
const DRAIN_FACTOR = 8

/** A larger event is read and handled in two turns of the event loop, each of which may take long. */
const LARGE_BYTES = 128 * 1024

const LETTER_C = 0x63
/** The bit that lower-case letters of ASCII have and capitals lack. */
const LOWER_CASE = 0x20

/**
 * Reads one event, in binary or structured mode, from a request whose body is still unread. Rejects with the connection's error when the
 * client leaves early.
 *
 * @throws {EventError} when `parseEvent` would, for a repeated `ce-` or `Content-Type` header, a `Content-Encoding`, or (status 413) data
 * or a body beyond the limit
 */
export function readEvent(request: IncomingMessage, options: ReadEventOptions = {}): Promise<CloudEventV1<Buffer>> {
  return new Promise((resolve, reject) => {
    takeEvent(request, { options, onEvent: resolve, onError: reject })
  })
}

/** Exactly one of the two is called, once. */
export interface EventTaker {
  readonly options: ReadEventOptions
  readonly onEvent: (event: CloudEventV1<Buffer>) => void
  readonly onError: (error: unknown) => void
}

/** {@link readEvent} without the promise, which costs noticeable time at many events a second. */
export function takeEvent(request: IncomingMessage, { options, onEvent, onError }: EventTaker): void {
  if (request.readableDidRead) {
    onError(new TypeError('the body was read already: receive events before any body parser'))
    return
  }
  const { dataLimitBytes = LIMITS.eventDataBytes, onBytes } = options
  const inSpan = inThisSpan()
  const isStructured = isCloudEventsMediaType(request.headers['content-type'])
  const limitBytes = isStructured ? structuredLimit(dataLimitBytes) : dataLimitBytes
  takeBody(request, {
    limitBytes,
    drainBytes: limitBytes * DRAIN_FACTOR,
    onBytes,
    onTooLarge: () =>
      inSpan(() => onError(tooLarge(limitBytes, isStructured ? 'an event in structured mode' : undefined))),
    onError: (error) => inSpan(() => onError(error)),
    onBody(body) {
      let event: CloudEventV1<Buffer>
      try {
        event = eventIn(request, body, options)
      } catch (thrown) {
        inSpan(() => onError(thrown))
        return
      }
      if (body.length > LARGE_BYTES) setImmediate(() => inSpan(() => onEvent(event)))
      else inSpan(() => onEvent(event))
    },
  })
}

function eventIn(request: IncomingMessage, body: Buffer, options: ReadEventOptions): CloudEventV1<Buffer> {
  checkNotRepeated(request)
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw invalidData(`Content-Encoding ${encoding} is not supported`)
  }
  return parseEvent(request.headers, body, options)
}

/** Reads `rawHeaders`: Node joins repeated headers elsewhere, and middleware may have added some. */
function checkNotRepeated({ rawHeaders }: IncomingMessage): void {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? ''
    // The first letter rules out most headers, faster than a lower-cased copy.
    if ((raw.charCodeAt(0) | LOWER_CASE) !== LETTER_C) continue
    const name = raw.toLowerCase()
    const isContentType = name === 'content-type'
    if (!isContentType && !name.startsWith('ce-')) continue
    if (seen.has(name)) {
      const attribute = isContentType ? 'datacontenttype' : name.slice(3)
      throw new EventError('EVENT_REPEATED_ATTRIBUTE', attribute, `${attribute} is given more than once`)
    }
    seen.add(name)
  }
}

/** The longest structured-mode body with data of this size; always enough for any attributes. */
function structuredLimit(dataLimitBytes: number): number {
  const growth = LIMITS.structuredEventBytes / LIMITS.eventDataBytes
  return Math.max(LIMITS.structuredEventBytes, dataLimitBytes * growth)
}
