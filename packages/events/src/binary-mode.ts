import { isUtf8 } from 'node:buffer'
import type { CloudEvent, EventHeaders } from './cloud-event.ts'
import { EventError } from './errors.ts'
import { checkSpecversion, type EventDraft, finishEvent, setAsciiAttribute, setAttribute } from './event-draft.ts'
import { decodeHeaderValue, encodeHeaderValue, isPlainHeaderValue } from './header-value.ts'
import { essenceOf } from './media-type.ts'

/** What goes over the wire for one event. */
export interface EventMessage {
  /** Names in lower case. */
  readonly headers: Record<string, string>
  readonly body: Buffer | undefined
}

const PREFIX = 'ce-'
/** RFC 9110, 8.3: what data is taken for that is of no declared type. */
const UNKNOWN_TYPE = 'application/octet-stream'

/**
 * Reads a binary-mode message. Beyond CloudEvents, Taproom's contract (2.7) wants a Content-Type with all data, and the body of
 * `application/json` to be a JSON object; every other media type is opaque.
 */
export function parseBinaryMode(headers: EventHeaders, body: Buffer): CloudEvent {
  const specversion = single('specversion', headers['ce-specversion'])
  if (specversion === undefined && !hasEventHeader(headers)) {
    throw new EventError('not-an-event', 'specversion', 'the message has no CloudEvents attributes')
  }
  checkSpecversion(specversion)
  const draft: EventDraft = {}
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
    if (isPlainHeaderValue(header)) setAsciiAttribute(draft, attribute, header)
    else setAttribute(draft, attribute, decodeHeaderValue(attribute, header))
  }
  const contentType = single('datacontenttype', headers['content-type'])
  if (contentType !== undefined) {
    if (contentType === 'application/json') draft.datacontenttype = contentType
    else setAttribute(draft, 'datacontenttype', contentType)
    if (essenceOf(contentType) === 'application/json') checkJsonObject(body)
  } else if (body.length > 0) {
    throw new EventError('missing-attribute', 'datacontenttype', 'Content-Type is required of an event with data')
  }
  return finishEvent(draft, body.length === 0 ? undefined : body)
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

function hasEventHeader(headers: EventHeaders): boolean {
  return Object.keys(headers).some((name) => name.startsWith(PREFIX))
}

function single(attribute: string, value: string | readonly string[] | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  if (value.length > 1) throw new EventError('repeated-attribute', attribute, `${attribute} is given more than once`)
  return value[0]
}

function checkJsonObject(body: Buffer): void {
  let value: unknown
  try {
    if (isUtf8(body)) value = JSON.parse(body.toString())
  } catch (cause) {
    throw new EventError('invalid-data', 'data', 'data must be a JSON object: it is not JSON', { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new EventError('invalid-data', 'data', 'data must be a JSON object')
  }
}
