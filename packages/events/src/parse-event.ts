import { parseBinaryMode } from './binary-mode.ts'
import type { CloudEvent, EventHeaders } from './cloud-event.ts'
import { EventError } from './errors.ts'
import { essenceOf } from './media-type.ts'
import { parseBatchMode, parseStructuredMode } from './structured-mode.ts'

const STRUCTURED = 'application/cloudevents+json'
const BATCHED = 'application/cloudevents-batch+json'
const STRUCTURED_PREFIX = 'application/cloudevents'

/**
 * Reads one event from an HTTP message in binary or structured mode.
 *
 * @throws EventError naming the attribute at fault; `batch-not-supported` for a batch (see `parseEvents`).
 * Source: CloudEvents HTTP binding 1.0.2, section 3. Node joins repeated headers into one value, so a repeated `ce-`
 * header is only seen in `headersDistinct`, or through `readEvent`.
 */
export function parseEvent(headers: EventHeaders, body: Buffer): CloudEvent {
  const contentType = contentTypeOf(headers)
  if (!isCloudEventsMediaType(contentType)) return parseBinaryMode(headers, body)
  const format = essenceOf(contentType)
  if (format === STRUCTURED) return parseStructuredMode(contentType, body)
  if (format.startsWith(`${STRUCTURED_PREFIX}-batch`)) {
    throw new EventError('batch-not-supported', 'data', 'a batch of events is not taken here: send one at a time')
  }
  throw new EventError('unsupported-format', 'datacontenttype', `event format ${format} is not supported`)
}

/** Like `parseEvent`, and reads a batch as well: all of its events or none. */
export function parseEvents(headers: EventHeaders, body: Buffer): CloudEvent[] {
  const contentType = contentTypeOf(headers)
  if (contentType !== undefined && essenceOf(contentType) === BATCHED) return parseBatchMode(contentType, body)
  return [parseEvent(headers, body)]
}

/** Whether a message claims to be an event: a CloudEvents media type or a `ce-specversion` header. */
export function claimsToBeEvent(headers: EventHeaders): boolean {
  return headers['ce-specversion'] !== undefined || isCloudEventsMediaType(contentTypeOf(headers))
}

function isCloudEventsMediaType(contentType: string | undefined): contentType is string {
  if (contentType === undefined || contentType === 'application/json') return false
  return contentType.toLowerCase().startsWith(STRUCTURED_PREFIX)
}

function contentTypeOf(headers: EventHeaders): string | undefined {
  const contentType = headers['content-type']
  if (typeof contentType === 'string' || contentType === undefined) return contentType
  if (contentType.length > 1) {
    throw new EventError('repeated-attribute', 'datacontenttype', 'Content-Type is given more than once')
  }
  return contentType[0]
}
