/** Base of every error of this package; branch on the class or on `code`, never on the message. */
export abstract class CloudEventsError extends Error {
  override name = 'CloudEventsError'
  abstract readonly code: string
}

/** Why a message is not a CloudEvent 1.0 that this package takes. */
export type EventErrorCode =
  | 'EVENT_NOT_AN_EVENT'
  | 'EVENT_UNSUPPORTED_SPECVERSION'
  | 'EVENT_UNSUPPORTED_FORMAT'
  | 'EVENT_BATCH_NOT_SUPPORTED'
  | 'EVENT_MISSING_ATTRIBUTE'
  | 'EVENT_INVALID_ATTRIBUTE'
  | 'EVENT_INVALID_ATTRIBUTE_NAME'
  | 'EVENT_REPEATED_ATTRIBUTE'
  | 'EVENT_TOO_MANY_ATTRIBUTES'
  | 'EVENT_ATTRIBUTES_TOO_LARGE'
  | 'EVENT_INVALID_DATA'
  | 'EVENT_DATA_TOO_LARGE'

/** Characters of an attribute's name that are shown: it may be as long as a body. */
const LONGEST_NAME = 64
/** Characters of a filter's field that are shown. */
const LONGEST_FIELD = 256

/** A message is not a valid CloudEvent; a receiver answers `status`. */
export class EventError extends CloudEventsError {
  override name = 'EventError'
  readonly code: EventErrorCode
  /** The attribute at fault as the specification names it, e.g. `id`; `data` for the payload. At most 64 characters of it. */
  readonly attribute: string

  constructor(code: EventErrorCode, attribute: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.attribute = attribute.slice(0, LONGEST_NAME)
  }

  /** 413 for data beyond the limit, 400 for everything else. */
  get status(): 400 | 413 {
    return this.code === 'EVENT_DATA_TOO_LARGE' ? 413 : 400
  }
}

/** `rule` completes a sentence that begins with the attribute. */
export function invalidAttribute(attribute: string, rule: string): EventError {
  return new EventError('EVENT_INVALID_ATTRIBUTE', attribute, `${attribute} ${rule}`)
}

export function invalidData(message: string, options?: ErrorOptions): EventError {
  return new EventError('EVENT_INVALID_DATA', 'data', message, options)
}

/** A name for an error message: quoted, shortened when long. */
export function shownName(name: string): string {
  return `"${shownStart(name, LONGEST_NAME)}"`
}

/** Escaped to ASCII: it may hold control sequences of a terminal. */
function shownStart(text: string, length: number): string {
  const start = text.length > length ? `${text.slice(0, length)}...` : text
  return start.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A trigger's filter is invalid, so it must match nothing. */
export class FilterError extends CloudEventsError {
  override name = 'FilterError'
  readonly code = 'FILTER_INVALID'
  /** Path of the offending field, e.g. `filters[0].exact.type`. */
  readonly field: string

  constructor(field: string, rule: string, options?: ErrorOptions) {
    const shown = shownStart(field, LONGEST_FIELD)
    super(`${shown} ${rule}`, options)
    this.field = shown
  }
}

/** A delivery spec is invalid. */
export class DeliverySpecError extends CloudEventsError {
  override name = 'DeliverySpecError'
  readonly code = 'DELIVERY_SPEC_INVALID'
  /** The offending field, e.g. `backoffDelay`. */
  readonly field: string

  constructor(field: string, rule: string) {
    super(`${field} ${rule}`)
    this.field = field
  }
}
