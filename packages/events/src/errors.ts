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
  | 'invalid-data'
  | 'data-too-large'

/** A message is not a valid CloudEvent; a receiver answers `status`. */
export class EventError extends CloudEventsError {
  override name = 'EventError'
  readonly code: EventErrorCode
  /** The attribute at fault as the specification names it, e.g. `id`; `data` for the payload. */
  readonly attribute: string

  constructor(code: EventErrorCode, attribute: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.attribute = attribute
  }

  /** 413 for data beyond the limit, 400 for everything else. */
  get status(): 400 | 413 {
    return this.code === 'data-too-large' ? 413 : 400
  }
}

/** A trigger's filter is invalid, so it must match nothing. */
export class FilterError extends CloudEventsError {
  override name = 'FilterError'
  readonly code = 'invalid-filter'
  /** Path of the offending field, e.g. `filters[0].exact.type`. */
  readonly field: string

  constructor(field: string, rule: string, options?: ErrorOptions) {
    super(`${field} ${rule}`, options)
    this.field = field
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
