import type { CloudEventV1 } from 'cloudevents'
import { parseBinaryMode, single } from './binary-mode.ts'
import type { ParseOptions } from './event-draft.ts'
import type { EventHeaders } from './event-headers.ts'
import { isCloudEventsMediaType } from './media-type.ts'
import { parseStructuredMode } from './structured-mode.ts'

/**
 * Reads one event from an HTTP message in binary or structured mode.
 *
 * @throws {EventError} naming the attribute at fault, also when attributes or data exceed `LIMITS` of \@taproom/core/limits, or for a batch
 * Source: CloudEvents HTTP binding 1.0.2, section 3. `request.headers` hides repeated `ce-` headers: use `headersDistinct` or `readEvent`.
 */
export function parseEvent(headers: EventHeaders, body: Buffer, options: ParseOptions = {}): CloudEventV1<Buffer> {
  const contentType = contentTypeOf(headers)
  if (!isCloudEventsMediaType(contentType)) return parseBinaryMode(headers, body, options)
  return parseStructuredMode(contentType, body, options)
}

/** Whether a message claims to be an event: a CloudEvents media type or a `ce-specversion` header. */
export function claimsToBeEvent(headers: EventHeaders): boolean {
  return headers['ce-specversion'] !== undefined || isCloudEventsMediaType(contentTypeOf(headers))
}

function contentTypeOf(headers: EventHeaders): string | undefined {
  return single('datacontenttype', headers['content-type'], 'Content-Type')
}
