import { LIMITS } from '@taproom/core/limits'
import type { CloudEventV1 } from 'cloudevents'
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
import { EventError, shownName } from './errors.ts'
import { encodedLength, isPlainHeaderValue } from './header-value.ts'

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
  /** Required attributes are empty until they are read. */
  readonly event: CloudEventV1<Buffer>
}

export function newDraft(): EventDraft {
  return { count: 0, bytes: 0, event: { specversion: '1.0', id: '', source: '', type: '' } }
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

function assign({ event }: EventDraft, name: string, value: string): void {
  switch (name) {
    case 'specversion':
      checkSpecversion(value)
      return
    case 'id':
    case 'type':
    case 'subject':
      checkNonEmpty(name, value)
      break
    case 'source':
      checkUriReference(name, value)
      break
    case 'time':
      checkTimestamp(name, value)
      break
    case 'dataschema':
      checkUri(name, value)
      break
    case 'datacontenttype':
      checkMediaType(name, value)
      break
    default:
      checkName(name)
  }
  event[name] = value
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
export function finishEvent(
  { event }: EventDraft,
  data: Buffer | undefined,
  options: ParseOptions = {},
): CloudEventV1<Buffer> {
  const { dataLimitBytes = LIMITS.eventDataBytes } = options
  if (data !== undefined && data.length > dataLimitBytes) throw dataTooLarge(dataLimitBytes)
  for (const name of REQUIRED) if (event[name] === '') throw missing(name)
  if (data !== undefined) event.data = data
  return event
}

const REQUIRED = ['id', 'source', 'type'] as const

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
