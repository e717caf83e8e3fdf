import type { CloudEvent } from './cloud-event.ts'
import { EventError } from './errors.ts'
import { checkSpecversion, finishEvent, newDraft, setAttribute } from './event-draft.ts'
import { isCloudEventsMediaType } from './media-type.ts'
import { parseStructuredMode, toStructuredMode } from './structured-mode.ts'

const PREFIX = 'ce_'

/** A Kafka record that carries one event. */
export interface KafkaEventMessage {
  /** The `partitionkey` extension, else null. */
  readonly key: string | null
  readonly headers: Readonly<Record<string, string>>
  /** The data, null for an event without; in structured mode the whole event. */
  readonly value: Buffer | null
}

/**
 * The event as a Kafka record: in binary mode, or in structured mode when its data is of a CloudEvents media type, because that is what a
 * reader takes the record for. Source: CloudEvents Kafka binding 1.0.2, 3.
 */
export function toKafkaMessage(event: CloudEvent): KafkaEventMessage {
  const { extensions, data, datacontenttype, ...attributes } = event
  const key = extensions['partitionkey'] ?? null
  if (isCloudEventsMediaType(datacontenttype)) {
    const message = toStructuredMode(event)
    return { key, headers: message.headers, value: message.body ?? null }
  }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes)) headers[PREFIX + name] = value
  for (const [name, value] of Object.entries(extensions)) headers[PREFIX + name] = value
  if (datacontenttype !== undefined) headers['content-type'] = datacontenttype
  return { key, headers, value: data ?? null }
}

/**
 * The event in a Kafka record, in binary mode or in structured mode with the JSON format.
 *
 * @throws EventError as `parseEvent` does, but any data is taken
 */
export function fromKafkaMessage(message: {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly value: Buffer | null
}): CloudEvent {
  const { headers, value } = message
  const contentType = headers['content-type']
  if (isCloudEventsMediaType(contentType)) return parseStructuredMode(contentType, value ?? Buffer.alloc(0))
  const specversion = headers['ce_specversion']
  if (specversion === undefined && !Object.keys(headers).some((name) => name.startsWith(PREFIX))) {
    throw new EventError('not-an-event', 'specversion', 'the record has no CloudEvents attributes')
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
