import { LIMITS } from '@taproom/core/limits'
import type { CloudEventV1 } from 'cloudevents'
import { CORE_RULES, checkString, isAttributeName } from './attribute-rules.ts'
import { ADDED_BY_BROKERS } from './broker-attributes.ts'
import { EventError, invalidAttribute, shownName } from './errors.ts'
import { encodedLength, isPlainHeaderValue } from './header-value.ts'

export interface ParseOptions {
  /** Largest data in bytes; default 1 MiB. */
  readonly dataLimitBytes?: number
  /**
   * True for an event that is to be passed on, as brokers do: it keeps its `ce-` headers as they came, for `sendEvent` and `toKafkaMessage`, and may
   * have no data and yet the type `application/json`, as some SDKs send it. Default false.
   */
  readonly passesOn?: boolean
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
  // A content type is not encoded, and some values are too long even unencoded.
  const isCountedAsItIs = name === 'datacontenttype' || value.length > LIMITS.eventAttributeBytes
  count(draft, name, isCountedAsItIs ? value.length : encodedLength(value))
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

function assign({ event }: EventDraft, name: string, value: string): void {
  const ruleOf = CORE_RULES.get(name)
  if (name === 'specversion') checkSpecversion(value)
  else if (ruleOf === undefined) checkName(name)
  const rule = ruleOf?.(value)
  if (rule !== undefined) throw invalidAttribute(name, rule)
  event[name] = value
}

/** @throws {EventError} when the name has characters that the specification does not allow, or is `data`, the payload's name */
export function checkName(name: string): void {
  if (!isAttributeName(name) || name === 'data') {
    const message = `attribute name ${shownName(name)} must be of a-z and 0-9`
    throw new EventError('EVENT_INVALID_ATTRIBUTE_NAME', name, message)
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
  { dataLimitBytes = LIMITS.eventDataBytes }: ParseOptions = {},
): CloudEventV1<Buffer> {
  if (data !== undefined && data.length > dataLimitBytes) throw tooLarge(dataLimitBytes)
  for (const name of REQUIRED) if (event[name] === '') throw missing(name)
  if (data !== undefined) event.data = data
  return event
}

const REQUIRED = ['id', 'source', 'type'] as const

export function tooManyAttributes(name: string): EventError {
  const rule = `an event must not have more than ${LIMITS.eventAttributes} attributes`
  return new EventError('EVENT_TOO_MANY_ATTRIBUTES', name, rule)
}

export function tooLarge(limitBytes: number, subject = 'the data of an event'): EventError {
  return new EventError('EVENT_DATA_TOO_LARGE', 'data', `${subject} must not be larger than ${limitBytes} bytes`)
}

function missing(attribute: string): EventError {
  return new EventError('EVENT_MISSING_ATTRIBUTE', attribute, `${attribute} is required`)
}
