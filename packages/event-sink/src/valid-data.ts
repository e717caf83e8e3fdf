import type { StandardSchemaV1 } from '@standard-schema/spec'
import { JsonError, parseJson } from '@taproom/core/limits'
import type { EventHandler } from '@taproom/events'
import { invalidInput, validJson } from '@taproom/service'
import type { CloudEventV1 } from 'cloudevents'

/** An event whose `data` is what a schema gives. */
export type ValidEvent<Data> = CloudEventV1<Data> & { readonly data: Data }

/**
 * A handler of events whose data is JSON that a schema accepts: one of zod, or of any other library that implements Standard Schema. Other
 * data is refused with 400 and `errors: [{ pointer: '#/name', detail }]`, and is not sent again: it goes to the dead letter sink.
 *
 * @example
 * on: { 'order.placed': validData(orderSchema, async ({ id, data }) => await ledger.add(id, data.beer)) }
 */
export function validData<S extends StandardSchemaV1>(
  schema: S,
  handler: (event: ValidEvent<StandardSchemaV1.InferOutput<S>>) => ReturnType<EventHandler>,
): EventHandler {
  return (event) => handler({ ...event, data: validJson('data', jsonIn(event.data), schema) })
}

/** Undefined for an event without data. */
function jsonIn(data: Buffer | undefined): unknown {
  if (data === undefined) return undefined
  try {
    return parseJson(data)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw invalidInput('data', [{ pointer: '#', detail: error.message }])
  }
}
