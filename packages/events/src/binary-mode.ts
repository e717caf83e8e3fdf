import { JsonError } from '@taproom/limits'
import { checkString, isUri, isUriReference } from './attribute-rules.ts'
import type { CloudEvent, EventHeaders } from './cloud-event.ts'
import { EventError } from './errors.ts'
import {
  checkSpecversion,
  finishEvent,
  newDraft,
  type ParseOptions,
  setAttribute,
  setPlainAttribute,
} from './event-draft.ts'
import { decodeHeaderValue, encodeHeaderValue, isPlainHeaderValue } from './header-value.ts'
import { jsonKindOf } from './json-data.ts'
import { essenceOf } from './media-type.ts'

/** What goes over the wire for one event. */
export interface EventMessage {
  /** Names in lower case. */
  readonly headers: Record<string, string>
  readonly body: Buffer | undefined
}

const PREFIX = 'ce-'
/** Nearly every event's. */
const JSON_TYPE = 'application/json'
/** RFC 9110, 8.3: what data is taken for that is of no declared type. */
const UNKNOWN_TYPE = 'application/octet-stream'

/**
 * Reads a binary-mode message. Beyond CloudEvents, Taproom's contract (2.7) wants a Content-Type with all data, and the body of
 * `application/json` to be a JSON object; every other media type is opaque.
 */
export function parseBinaryMode(headers: EventHeaders, body: Buffer, options?: ParseOptions): CloudEvent {
  const specversion = single('specversion', headers['ce-specversion'])
  if (specversion === undefined && !hasEventHeader(headers)) {
    throw new EventError('not-an-event', 'specversion', 'the message has no CloudEvents attributes')
  }
  if (specversion !== '1.0') checkSpecversion(specversion && decodeHeaderValue('specversion', specversion))
  const draft = newDraft()
  for (const name in headers) {
    if (!name.startsWith(PREFIX)) continue
    const attribute = name.slice(PREFIX.length)
    const header = single(attribute, headers[name])
    if (header === undefined) continue
    if (attribute === 'datacontenttype') {
      throw new EventError(
        'invalid-attribute',
        attribute,
        'datacontenttype belongs in Content-Type, not in a ce- header',
      )
    }
    if (isPlainHeaderValue(header)) setPlainAttribute(draft, attribute, header)
    else setAttribute(draft, attribute, valueIn(attribute, header))
  }
  const contentType = single('datacontenttype', headers['content-type'])
  if (contentType !== undefined) {
    if (contentType === JSON_TYPE) setPlainAttribute(draft, 'datacontenttype', contentType)
    else setAttribute(draft, 'datacontenttype', contentType)
    if (essenceOf(contentType) === JSON_TYPE) checkJsonObject(body)
  } else if (body.length > 0) {
    throw new EventError('missing-attribute', 'datacontenttype', 'Content-Type is required of an event with data')
  }
  return finishEvent(draft, body.length === 0 ? undefined : body, options)
}

/** The event as a binary-mode message: attributes in `ce-` headers, data bytes as they are, of no declared type as such. */
export function toBinaryMode(event: CloudEvent): EventMessage {
  const headers: Record<string, string> = {
    'ce-specversion': event.specversion,
    'ce-id': encodeHeaderValue(event.id),
    'ce-source': encodeHeaderValue(event.source),
    'ce-type': encodeHeaderValue(event.type),
  }
  if (event.subject !== undefined) headers['ce-subject'] = encodeHeaderValue(event.subject)
  if (event.time !== undefined) headers['ce-time'] = encodeHeaderValue(event.time)
  if (event.dataschema !== undefined) headers['ce-dataschema'] = encodeHeaderValue(event.dataschema)
  for (const [name, value] of Object.entries(event.extensions)) headers[PREFIX + name] = encodeHeaderValue(value)
  const contentType = event.datacontenttype ?? (event.data === undefined ? undefined : UNKNOWN_TYPE)
  if (contentType !== undefined) headers['content-type'] = contentType
  return { headers, body: event.data }
}

/**
 * Senders that do not encode give an address as it is, and then the escapes belong to it: what is an address only undecoded is taken
 * undecoded. What the escapes stand for has to be a text in any case.
 */
function valueIn(attribute: string, header: string): string {
  const decoded = decodeHeaderValue(attribute, header)
  if (attribute !== 'source' && attribute !== 'dataschema') return decoded
  const isAddress = attribute === 'source' ? isUriReference : isUri
  if (isAddress(decoded) || !isAddress(header)) return decoded
  checkString(attribute, decoded)
  return header
}

function hasEventHeader(headers: EventHeaders): boolean {
  return Object.keys(headers).some((name) => name.startsWith(PREFIX))
}

function single(attribute: string, value: string | readonly string[] | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  if (value.length > 1) throw new EventError('repeated-attribute', attribute, `${attribute} is given more than once`)
  return value[0]
}

function checkJsonObject(body: Buffer): void {
  try {
    if (jsonKindOf(body) === 'object') return
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause
    throw new EventError('invalid-data', 'data', `data must be a JSON object: ${cause.message}`, { cause })
  }
  throw new EventError('invalid-data', 'data', 'data must be a JSON object')
}
