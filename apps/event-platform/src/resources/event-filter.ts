import { createFilter, type EventFilter, FilterError, type TriggerFilterSpec } from '@taproom/events'
import { ruleOf } from './delivery.ts'
import type { FieldReader } from './field-reader.ts'
import { sizeOf } from './object.ts'

/** Reading a filter takes time, and each event is checked against all of it. */
const MOST_FILTER_BYTES = 65_536

/** Reads `filter` and `filters` of a specification; undefined when they break a rule. */
export function readFilter(spec: FieldReader): EventFilter | undefined {
  spec.child('filter').fields('attributes')
  const { filter, filters } = { filter: spec.child('filter').value, filters: spec.child('filters').value }
  if (sizeOf({ filter, filters }) > MOST_FILTER_BYTES) {
    return spec.problemAt('filters', `must not have more than ${MOST_FILTER_BYTES} bytes as JSON`)
  }
  try {
    // createFilter also checks types.
    return createFilter({ ...(filter != null && { filter }), ...(filters != null && { filters }) } as TriggerFilterSpec)
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    return spec.problemAt(error.field, ruleOf(error))
  }
}
