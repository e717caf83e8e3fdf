import { JsonError } from '@taproom/core/limits'
import type { CloudEventV1 } from 'cloudevents'
import { attributeValueIn } from './attribute-value.ts'
import { EventError, invalidAttribute, invalidData } from './errors.ts'
import {
  checkSpecversion,
  finishEvent,
  newDraft,
  type ParseOptions,
  setAttribute,
  setPlainAttribute,
} from './event-draft.ts'
import type { EventHeaders } from './event-headers.ts'
import { isPlainHeaderValue } from './header-value.ts'
import { jsonKindOf } from './json-data.ts'
import { essenceOf } from './media-type.ts'
import { type HeaderWriter, headerWriter, keepHeader } from './original-headers.ts'
import { attributesOf, contentOf, type EventContent } from './written-event.ts'

export interface EventMessage {
  /** Names in lower case. */
  readonly headers: Record<string, string>
  readonly body: Buffer | undefined
}

const PREFIX = 'ce-'
/** The type of nearly every event. */
const JSON_TYPE = 'application/json'
/** RFC 9110, 8.3: data of no declared type counts as this. */
const UNKNOWN_TYPE = 'application/octet-stream'

/**
 * Reads a binary-mode message. Stricter than CloudEvents (contract 2.7): data needs a Content-Type, and `application/json` must be a JSON
 * object; any other media type is opaque.
 */
export function parseBinaryMode(headers: EventHeaders, body: Buffer, options: ParseOptions = {}): CloudEventV1<Buffer> {
  const specversion = single('specversion', headers['ce-specversion'])
  if (specversion === undefined && !hasEventHeader(headers)) {
    throw new EventError('EVENT_NOT_AN_EVENT', 'specversion', 'the message has no CloudEvents attributes')
  }
  if (specversion !== '1.0') checkSpecversion(specversion && attributeValueIn('specversion', specversion))
  const draft = newDraft()
  for (const name in headers) {
    if (!name.startsWith(PREFIX)) continue
    const attribute = name.slice(PREFIX.length)
    const header = single(attribute, headers[name])
    if (header === undefined) continue
    if (attribute === 'datacontenttype') {
      throw invalidAttribute(attribute, 'belongs in Content-Type, not in a ce- header')
    }
    if (isPlainHeaderValue(header)) {
      setPlainAttribute(draft, attribute, header)
      continue
    }
    setAttribute(draft, attribute, attributeValueIn(attribute, header))
    if (options.passesOn) keepHeader(draft.event, attribute, header)
  }
  const contentType = single('datacontenttype', headers['content-type'])
  if (contentType !== undefined) {
    if (contentType === JSON_TYPE) setPlainAttribute(draft, 'datacontenttype', contentType)
    else setAttribute(draft, 'datacontenttype', contentType)
    if (essenceOf(contentType) === JSON_TYPE) {
      if (options.passesOn && body.length === 0) keepHeader(draft.event, 'datacontenttype', contentType)
      else checkJsonObject(body)
    }
  } else if (body.length > 0) {
    throw new EventError('EVENT_MISSING_ATTRIBUTE', 'datacontenttype', 'Content-Type is required of an event with data')
  }
  return finishEvent(draft, body.length === 0 ? undefined : body, options)
}

/**
 * Attributes in `ce-` headers, as they came where the event was read with `passesOn`, else percent-encoded; data bytes unchanged. Undeclared
 * data gets the type `application/octet-stream`.
 */
export function toBinaryMode(event: CloudEventV1<unknown>): EventMessage {
  return inBinaryMode(event, contentOf(event), headerWriter(event))
}

/** {@link toBinaryMode} with its parts. */
export function inBinaryMode(event: CloudEventV1<unknown>, content: EventContent, write: HeaderWriter): EventMessage {
  const headers = attributesOf(event, PREFIX, write)
  const { datacontenttype, data } = content
  const contentType = datacontenttype ?? (data === undefined ? undefined : UNKNOWN_TYPE)
  if (contentType !== undefined) headers['content-type'] = contentType
  return { headers, body: data }
}

function hasEventHeader(headers: EventHeaders): boolean {
  return Object.keys(headers).some((name) => name.startsWith(PREFIX))
}

/** The value of a header that may be given once. @throws {EventError} when it is given more often */
export function single(attribute: string, value: EventHeaders[string], name = attribute): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  if (value.length > 1) throw new EventError('EVENT_REPEATED_ATTRIBUTE', attribute, `${name} is given more than once`)
  return value[0]
}

function checkJsonObject(body: Buffer): void {
  try {
    if (jsonKindOf(body) === 'object') return
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause
    throw invalidData(`data must be a JSON object: ${cause.message}`, { cause })
  }
  throw invalidData('data must be a JSON object')
}
