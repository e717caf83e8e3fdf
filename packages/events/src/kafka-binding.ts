import type { CloudEventV1 } from 'cloudevents'
import { EventError } from './errors.ts'
import { attributeOf } from './event-attribute.ts'
import { checkSpecversion, finishEvent, newDraft, setAttribute } from './event-draft.ts'
import { isCloudEventsMediaType } from './media-type.ts'
import { parseStructuredMode, toStructuredMode } from './structured-mode.ts'
import { attributesOf, contentOf } from './written-event.ts'

const PREFIX = 'ce_'

export interface KafkaEventMessage {
  /** The `partitionkey` extension, else null. */
  readonly key: string | null
  readonly headers: Readonly<Record<string, string>>
  /** The data, or null; in structured mode the whole event. */
  readonly value: Buffer | null
}

/**
 * In binary mode, or in structured mode when the data has a CloudEvents media type, as readers would take it for one. Source: CloudEvents
 * Kafka binding 1.0.2, 3.
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
  return { key, headers, value: data ?? null }
}

/**
 * Reads binary mode, or structured mode in the JSON format.
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
    if (header !== undefined && name.startsWith(PREFIX)) setAttribute(draft, name.slice(PREFIX.length), header)
  }
  if (contentType !== undefined) setAttribute(draft, 'datacontenttype', contentType)
  return finishEvent(draft, value ?? undefined)
}
