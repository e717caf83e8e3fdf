/** Base class of everything this package throws on purpose. Branch on the class or on `code`, never on the message. */
export abstract class CloudEventsError extends Error {
  override name = 'CloudEventsError'
  abstract readonly code: string
}

/** Why a message is not a CloudEvent 1.0 that this package takes. */
export type EventErrorCode =
  | 'not-an-event'
  | 'unsupported-specversion'
  | 'unsupported-format'
  | 'batch-not-supported'
  | 'missing-attribute'
  | 'invalid-attribute'
  | 'invalid-attribute-name'
  | 'repeated-attribute'
  | 'too-many-attributes'
  | 'attributes-too-large'
  | 'invalid-data'
  | 'data-too-large'

/** A stranger's name for an attribute can be as long as a body; so much of it says which one is meant. */
const LONGEST_NAME = 64
/** So can a field of a filter be, and its path deep. */
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
    return this.code === 'data-too-large' ? 413 : 400
  }
}

/** A name for a message: quoted, and its start alone when it is long. */
export function shownName(name: string): string {
  return `"${shownStart(name, LONGEST_NAME)}"`
}

/** In ASCII, as it may hold what writes to a terminal. */
function shownStart(text: string, length: number): string {
  const start = text.length > length ? `${text.slice(0, length)}...` : text
  return start.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A trigger's filter is invalid, so it must match nothing. */
export class FilterError extends CloudEventsError {
  override name = 'FilterError'
  readonly code = 'invalid-filter'
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
  readonly code = 'invalid-delivery-spec'
  /** The offending field, e.g. `backoffDelay`. */
  readonly field: string

  constructor(field: string, rule: string) {
    super(`${field} ${rule}`)
    this.field = field
  }
}
