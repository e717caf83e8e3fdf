import type { EventFilter } from '@taproom/events'
import { type ObjectReference, readReference } from './destination.ts'
import { readFilter } from './event-filter.ts'
import type { FieldReader } from './field-reader.ts'
import { type LabelSelector, readLabelSelector } from './label-selector.ts'

/** A subject, or the beginning of subjects with `*` at its end; or an object by whose account events are sent. */
export type PolicySender = { readonly sub: string } | { readonly ref: ObjectReference }

/** What a policy is for: one object by its name, or those of a kind by their labels. */
export interface PolicyTarget {
  readonly apiVersion: string
  readonly kind: string
  readonly name?: string
  readonly matches?: LabelSelector
}

/** Who may send which events to what (Knative `EventPolicy`). */
export interface EventPolicySpec {
  /** None: everything in the policy's namespace. */
  readonly to: readonly PolicyTarget[]
  readonly from: readonly PolicySender[]
  /** Absent: any event. */
  readonly matches?: EventFilter | undefined
}

const MOST_ENTRIES = 256
const SUBJECT = /^[^*]{0,1023}(?:[^*]|\*)$/

export function readEventPolicy(root: FieldReader): EventPolicySpec | undefined {
  const spec = root.child('spec').fields('to', 'from', 'filters')
  const to = entries(spec.child('to')).map(readTarget)
  const from = entries(spec.child('from')).map(readSender)
  const hasFilters = spec.child('filters').items().length > 0
  const matches = hasFilters ? readFilter(spec) : undefined
  // One that is undefined has broken a rule.
  const isWhole = to.every((target) => target !== undefined) && from.every((sender) => sender !== undefined)
  if (!isWhole || (hasFilters && matches === undefined)) return undefined
  return { to, from, matches }
}

function entries(reader: FieldReader): readonly FieldReader[] {
  const items = reader.items()
  if (items.length <= MOST_ENTRIES) return items
  reader.problem(`must not have more than ${MOST_ENTRIES} entries`)
  return []
}

function readTarget(reader: FieldReader): PolicyTarget | undefined {
  reader.fields('ref', 'selector').required()
  const [ref, selector] = [reader.child('ref'), reader.child('selector')]
  if (ref.isPresent === selector.isPresent) return reader.problem('needs either ref or selector')
  if (ref.isPresent) return readReference(ref.fields('apiVersion', 'kind', 'name'))
  selector.fields('apiVersion', 'kind', 'matchLabels', 'matchExpressions')
  const apiVersion = selector.child('apiVersion').required().string()
  const kind = selector.child('kind').required().string()
  const matches = readLabelSelector(selector)
  return apiVersion === undefined || kind === undefined ? undefined : { apiVersion, kind, matches }
}

function readSender(reader: FieldReader): PolicySender | undefined {
  reader.fields('ref', 'sub').required()
  const [ref, sub] = [reader.child('ref'), reader.child('sub')]
  if (ref.isPresent === sub.isPresent) return reader.problem('needs either ref or sub')
  if (sub.isPresent) {
    const text = sub.matching(SUBJECT, 'at most 1024 characters, with * only at the end')
    return text === undefined ? undefined : { sub: text }
  }
  const found = readReference(ref.fields('apiVersion', 'kind', 'name', 'namespace'))
  return found && { ref: found }
}
