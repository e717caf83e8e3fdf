import type { CloudEventV1 } from 'cloudevents'
import { EventError } from './errors.ts'
import { attributeOf } from './event-attribute.ts'
import { checkSpecversion, finishEvent, newDraft, setAttribute } from './event-draft.ts'
import { isCloudEventsMediaType } from './media-type.ts'
import { keepHeader, originalHeadersOf } from './original-headers.ts'
import { parseStructuredMode, toStructuredMode } from './structured-mode.ts'
import { attributesOf, contentOf } from './written-event.ts'

const PREFIX = 'ce_'
/** HTTP headers in binary mode are kept under it as they came, beside the values that they give. */
const HTTP_PREFIX = 'ce-'

export interface KafkaEventMessage {
  /** The `partitionkey` extension, else null. */
  readonly key: string | null
  readonly headers: Readonly<Record<string, string>>
  /** The data, or null; in structured mode the whole event. */
  readonly value: Buffer | null
}

/**
 * In binary mode, or in structured mode when the data has a CloudEvents media type, as readers would take it for one. An event that was read
 * with `passesOn` keeps headers of HTTP as they came in headers `ce-…` beside its attributes in `ce_…`. Source: CloudEvents Kafka binding
 * 1.0.2, 3.
 */
export function toKafkaMessage(event: CloudEventV1<unknown>): KafkaEventMessage {
  const key = attributeOf(event, 'partitionkey') ?? null
  const content = contentOf(event)
  const { datacontenttype, data } = content
  if (isCloudEventsMediaType(datacontenttype)) {
    const message = toStructuredMode(event, content)
    return { key, headers: message.headers, value: message.body ?? null }
  }
  const headers = attributesOf(event, PREFIX)
  if (datacontenttype !== undefined) headers['content-type'] = datacontenttype
  const original = originalHeadersOf(event)
  for (const name in original) headers[HTTP_PREFIX + name] = original[name] ?? ''
  return { key, headers, value: data ?? null }
}

/**
 * Reads binary mode, or structured mode in the JSON format. An event that was written to be passed on still has its `ce-` headers as they came.
 *
 * @throws {EventError} when `parseEvent` would, but any data is taken
 */
export function fromKafkaMessage(message: {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly value: Buffer | null
}): CloudEventV1<Buffer> {
  const { headers, value } = message
  const contentType = headers['content-type']
  if (isCloudEventsMediaType(contentType)) return parseStructuredMode(contentType, value ?? Buffer.alloc(0))
  const specversion = headers['ce_specversion']
  if (specversion === undefined && !Object.keys(headers).some((name) => name.startsWith(PREFIX))) {
    throw new EventError('EVENT_NOT_AN_EVENT', 'specversion', 'the record has no CloudEvents attributes')
  }
  checkSpecversion(specversion)
  const draft = newDraft()
  for (const name in headers) {
    const header = headers[name]
    if (header === undefined || !name.startsWith('ce')) continue
    if (name.startsWith(PREFIX)) setAttribute(draft, name.slice(PREFIX.length), header)
    else if (name.startsWith(HTTP_PREFIX)) keepHeader(draft.event, name.slice(HTTP_PREFIX.length), header)
  }
  if (contentType !== undefined) setAttribute(draft, 'datacontenttype', contentType)
  return finishEvent(draft, value ?? undefined)
}
