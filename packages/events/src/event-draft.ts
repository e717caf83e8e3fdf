import { LIMITS } from '@taproom/limits'
import {
  checkMediaType,
  checkNonEmpty,
  checkString,
  checkTimestamp,
  checkUri,
  checkUriReference,
  isAttributeName,
} from './attribute-rules.ts'
import { ADDED_BY_BROKERS } from './broker-attributes.ts'
import type { CloudEvent } from './cloud-event.ts'
import { EventError, shownName } from './errors.ts'
import { encodedLength, isPlainHeaderValue } from './header-value.ts'

/** Has no prototype members: an absent `constructor` is undefined too. Faster than an object without prototype. */
class Extensions {
  [name: string]: string
}
Object.setPrototypeOf(Extensions.prototype, null)
Reflect.deleteProperty(Extensions.prototype, 'constructor')

const NO_EXTENSIONS: Readonly<Record<string, string>> = Object.freeze(new Extensions())

export interface ParseOptions {
  /** Largest data in bytes; default 1 MiB. */
  readonly dataLimitBytes?: number
}

/** An event while its attributes are being read, each one checked as it is set. */
export interface EventDraft {
  /** Number of attributes. */
  count: number
  /** Bytes of the attributes as HTTP headers. */
  bytes: number
  id?: string
  source?: string
  type?: string
  subject?: string
  time?: string
  dataschema?: string
  datacontenttype?: string
  extensions?: Record<string, string>
}

export function newDraft(): EventDraft {
  return { count: 0, bytes: 0 }
}

/** @throws {EventError} when the attribute breaks a rule of the specification or a limit */
export function setAttribute(draft: EventDraft, name: string, value: string): void {
  if (isPlainHeaderValue(value)) {
    setPlainAttribute(draft, name, value)
    return
  }
  checkName(name)
  // A content type is not encoded.
  count(draft, name, name === 'datacontenttype' || isTooLong(value) ? value.length : encodedLength(value))
  checkString(name, value)
  assign(draft, name, value)
}

/** Like {@link setAttribute}, for a value that needs no encoding in a header. */
export function setPlainAttribute(draft: EventDraft, name: string, value: string): void {
  count(draft, name, value.length)
  assign(draft, name, value)
}

/** Bytes of `ce-`, `: ` and the line end. */
const AROUND_HEADER = 7

function count(draft: EventDraft, name: string, valueBytes: number): void {
  const bytes = name.length + valueBytes + AROUND_HEADER
  const free = name.startsWith('knative') ? ADDED_BY_BROKERS.get(name) : undefined
  draft.count += free === undefined ? 1 : 0
  draft.bytes += free === undefined ? bytes : Math.max(0, bytes - free)
  if (draft.count > LIMITS.eventAttributes) throw tooManyAttributes(name)
  if (draft.bytes > LIMITS.eventAttributeBytes) {
    const limit = `must not take more than ${LIMITS.eventAttributeBytes} bytes as HTTP headers`
    throw new EventError('EVENT_ATTRIBUTES_TOO_LARGE', name, `the attributes of an event, percent-encoded, ${limit}`)
  }
}

/** Too long even unencoded. */
function isTooLong(value: string): boolean {
  return value.length > LIMITS.eventAttributeBytes
}

function assign(draft: EventDraft, name: string, value: string): void {
  switch (name) {
    case 'specversion':
      checkSpecversion(value)
      return
    case 'id':
    case 'type':
    case 'subject':
      checkNonEmpty(name, value)
      draft[name] = value
      return
    case 'source':
      checkUriReference(name, value)
      draft.source = value
      return
    case 'time':
      checkTimestamp(name, value)
      draft.time = value
      return
    case 'dataschema':
      checkUri(name, value)
      draft.dataschema = value
      return
    case 'datacontenttype':
      checkMediaType(name, value)
      draft.datacontenttype = value
      return
  }
  checkName(name)
  draft.extensions ??= new Extensions()
  draft.extensions[name] = value
}

/** @throws {EventError} when the name has characters that the specification does not allow, or is `data`, the payload's name */
export function checkName(name: string): void {
  if (!isAttributeName(name) || name === 'data') {
    throw new EventError(
      'EVENT_INVALID_ATTRIBUTE_NAME',
      name,
      `attribute name ${shownName(name)} must be of a-z and 0-9`,
    )
  }
}

/** @throws {EventError} when the value is not exactly `1.0` */
export function checkSpecversion(value: string | undefined): void {
  if (value === undefined) throw missing('specversion')
  if (value !== '1.0') {
    throw new EventError('EVENT_UNSUPPORTED_SPECVERSION', 'specversion', 'specversion must be 1.0')
  }
}

/** @throws {EventError} when a required attribute is missing or the data exceeds the limit */
export function finishEvent(draft: EventDraft, data: Buffer | undefined, options: ParseOptions = {}): CloudEvent {
  const { dataLimitBytes = LIMITS.eventDataBytes } = options
  if (data !== undefined && data.length > dataLimitBytes) throw dataTooLarge(dataLimitBytes)
  const { id, source, type } = draft
  if (id === undefined) throw missing('id')
  if (source === undefined) throw missing('source')
  if (type === undefined) throw missing('type')
  // Set member by member: spreading optional members costs as much as everything else here.
  const event: Writable<CloudEvent> = {
    specversion: '1.0',
    id,
    source,
    type,
    extensions: draft.extensions ?? NO_EXTENSIONS,
  }
  if (draft.subject !== undefined) event.subject = draft.subject
  if (draft.time !== undefined) event.time = draft.time
  if (draft.dataschema !== undefined) event.dataschema = draft.dataschema
  if (draft.datacontenttype !== undefined) event.datacontenttype = draft.datacontenttype
  if (data !== undefined) event.data = data
  return event
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

export function tooManyAttributes(name: string): EventError {
  const rule = `an event must not have more than ${LIMITS.eventAttributes} attributes`
  return new EventError('EVENT_TOO_MANY_ATTRIBUTES', name, rule)
}

export function dataTooLarge(limitBytes: number): EventError {
  return new EventError(
    'EVENT_DATA_TOO_LARGE',
    'data',
    `the data of an event must not be larger than ${limitBytes} bytes`,
  )
}

function missing(attribute: string): EventError {
  return new EventError('EVENT_MISSING_ATTRIBUTE', attribute, `${attribute} is required`)
}
