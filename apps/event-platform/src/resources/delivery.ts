import { type DeliveryPolicy, type DeliverySpec, DeliverySpecError, parseDeliverySpec } from '@taproom/events'
import { type Destination, readDestination } from './destination.ts'
import type { FieldReader } from './field-reader.ts'

/** `spec.delivery` of a broker or trigger. */
export interface Delivery {
  readonly policy: DeliveryPolicy
  readonly deadLetterSink?: Destination | undefined
}

const POLICY_FIELDS = ['retry', 'backoffPolicy', 'backoffDelay', 'timeout', 'retryAfterMax', 'format'] as const

/** Undefined when not set: only then the broker's applies to its triggers. */
export function readDelivery(reader: FieldReader): Delivery | undefined {
  if (reader.fields(...POLICY_FIELDS, 'deadLetterSink').object() === undefined) return undefined
  const deadLetterSink = readDestination(reader.child('deadLetterSink'))
  const policy = readPolicy(reader)
  return policy && { policy, deadLetterSink }
}

function readPolicy(reader: FieldReader): DeliveryPolicy | undefined {
  const given = POLICY_FIELDS.filter((field) => reader.child(field).isPresent)
  const spec = Object.fromEntries(given.map((field) => [field, reader.child(field).value]))
  try {
    // parseDeliverySpec also checks types.
    return parseDeliverySpec(spec as DeliverySpec)
  } catch (error) {
    if (!(error instanceof DeliverySpecError)) throw error
    return reader.problemAt(error.field, ruleOf(error))
  }
}

/** Errors of \@taproom/events begin with the field, which is separate here. */
export function ruleOf(error: { readonly field: string; readonly message: string }): string {
  return error.message.startsWith(error.field) ? error.message.slice(error.field.length).trim() : error.message
}
