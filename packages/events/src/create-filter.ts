import { isJsonObject } from '@taproom/core/limits'
import type { CloudEventV1 } from 'cloudevents'
import { type CesqlExpression, parseCesql } from './cesql/cesql-parser.ts'
import { CesqlError } from './cesql/cesql-values.ts'
import { FilterBudget } from './cesql/filter-budget.ts'
import { FilterError } from './errors.ts'
import { attributeOf } from './event-attribute.ts'
import type { EventFilter, FilterDialect, NeededAttribute, TriggerFilterSpec } from './filter-spec.ts'

const ATTRIBUTE_NAME = /^[a-z][a-z0-9]*$/

/** Levels of nested dialects; more could overflow the stack. */
const DEEPEST = 100

interface Place {
  readonly path: string
  /** Number of dialects around this one. */
  readonly depth: number
  /** Shared by the whole filter. */
  readonly budget: FilterBudget
}

type Dialect = (spec: unknown, place: Place) => EventFilter

const DIALECTS: Readonly<Record<FilterDialect, Dialect>> = {
  exact: (spec, place) => {
    const wanted = wantedAttributes(spec, place)
    return needing(
      wanted,
      matchesAll(wanted, (value, wanted) => value === wanted),
    )
  },
  prefix: (spec, place) => matchesAll(wantedAttributes(spec, place), (value, wanted) => value.startsWith(wanted)),
  suffix: (spec, place) => matchesAll(wantedAttributes(spec, place), (value, wanted) => value.endsWith(wanted)),
  all: (spec, place) => allOf(nestedFilters(spec, place)),
  any: (spec, place) => {
    const filters = nestedFilters(spec, place)
    return (event) => filters.some((filter) => filter(event))
  },
  not: (spec, place) => {
    const filter = subscriptionFilter(spec, { ...place, depth: place.depth + 1 })
    return (event) => !filter(event)
  },
  cesql: cesqlDialect,
}

/**
 * A trigger's filter as a predicate. In `filter.attributes` a value must be equal; `''` means present and not empty. A non-empty `filters`
 * overrides it; all its elements must match. With neither, every event matches. Case-sensitive; data is never looked at.
 *
 * @throws {FilterError} naming the field when the filter is invalid: such a filter must match nothing
 * Source: Knative Eventing triggers; CloudEvents Subscriptions API 1.0, "Filter Dialects"; CloudEvents SQL 1.0.
 */
export function createFilter(spec: TriggerFilterSpec): EventFilter {
  const filters: unknown = spec.filters ?? []
  if (!Array.isArray(filters)) throw new FilterError('filters', 'must be an array')
  const budget = new FilterBudget()
  if (filters.length > 0) {
    const all = filters.map((element, index) =>
      subscriptionFilter(element, { path: `filters[${index}]`, depth: 0, budget }),
    )
    return allOf(all)
  }
  return attributesFilter(spec.filter ?? {}, budget)
}

function attributesFilter(filter: unknown, budget: FilterBudget): EventFilter {
  if (!isJsonObject(filter)) throw new FilterError('filter', 'must be an object')
  const { attributes = {}, ...unknownFields } = filter
  const unknownField = Object.keys(unknownFields)[0]
  if (unknownField !== undefined) throw new FilterError(`filter.${unknownField}`, 'is not a field of a filter')
  if (!isJsonObject(attributes ?? {})) throw new FilterError('filter.attributes', 'must be a map')
  const wanted = attributesIn(attributes ?? {}, { path: 'filter.attributes', budget })
  return needing(
    wanted.filter(({ value }) => value !== ''),
    matchesAll(wanted, (value, wanted) => (wanted === '' ? value !== '' : value === wanted)),
  )
}

function allOf(filters: readonly EventFilter[]): EventFilter {
  const needs = filters.flatMap((filter) => filter.needs ?? [])
  return needing(needs, (event) => filters.every((filter) => filter(event)))
}

/** A filter that needs one of these; the `type` divides events best, the version not at all. */
function needing(
  attributes: readonly NeededAttribute[],
  matches: (event: CloudEventV1<unknown>) => boolean,
): EventFilter {
  const dividing = attributes.filter(({ name }) => name !== 'specversion')
  const needs = dividing.find(({ name }) => name === 'type') ?? dividing[0]
  return Object.assign(matches, needs && { needs })
}

function subscriptionFilter(spec: unknown, place: Place): EventFilter {
  const { path, depth, budget } = place
  budget.countPart()
  if (depth > DEEPEST) throw new FilterError('filters', `are nested deeper than ${DEEPEST}`)
  if (!isJsonObject(spec)) throw new FilterError(path, 'must be an object with one dialect')
  const names = Object.keys(spec)
  const name = names[0]
  if (name === undefined || names.length > 1) throw new FilterError(path, 'must have exactly one dialect')
  if (!isDialect(name)) throw new FilterError(`${path}.${name}`, 'is not a supported dialect')
  return DIALECTS[name](spec[name], { ...place, path: `${path}.${name}` })
}

function isDialect(name: string): name is FilterDialect {
  return Object.hasOwn(DIALECTS, name)
}

function nestedFilters(spec: unknown, place: Place): EventFilter[] {
  const { path, depth } = place
  if (!Array.isArray(spec) || spec.length === 0) throw new FilterError(path, 'must be a non-empty array of filters')
  return spec.map((element, index) =>
    subscriptionFilter(element, { ...place, path: `${path}[${index}]`, depth: depth + 1 }),
  )
}

function wantedAttributes(spec: unknown, place: Place): NeededAttribute[] {
  if (!isJsonObject(spec) || Object.keys(spec).length === 0) throw new FilterError(place.path, 'must name an attribute')
  return attributesIn(spec, { ...place, leastLength: 1 })
}

function attributesIn(
  spec: object,
  { path, budget, leastLength = 0 }: Pick<Place, 'path' | 'budget'> & { readonly leastLength?: 0 | 1 },
): NeededAttribute[] {
  return Object.entries(spec).map(([name, value]: [string, unknown]) => {
    budget.countPart()
    const field = `${path}.${name}`
    if (!ATTRIBUTE_NAME.test(name)) {
      throw new FilterError(field, 'must be an attribute name: a lower-case letter, then lower-case letters and digits')
    }
    if (typeof value !== 'string' || value.length < leastLength) {
      throw new FilterError(field, `must be a ${leastLength === 0 ? '' : 'non-empty '}string`)
    }
    return { name, value }
  })
}

function matchesAll(
  wanted: readonly NeededAttribute[],
  matches: (value: string, wanted: string) => boolean,
): (event: CloudEventV1<unknown>) => boolean {
  return (event) =>
    wanted.every(({ name, value }) => {
      const actual = attributeOf(event, name)
      return actual !== undefined && matches(actual, value)
    })
}

/** Only `true` matches: not an error of evaluation, nor another value (CESQL 1.0, 1.2). */
function cesqlDialect(spec: unknown, { path, budget }: Place): EventFilter {
  if (typeof spec !== 'string') throw new FilterError(path, 'must be a CESQL expression')
  const expression = parsed(spec, path, budget)
  return (event) => {
    try {
      return expression(event) === true
    } catch (error) {
      if (error instanceof CesqlError) return false
      throw error
    }
  }
}

function parsed(expression: string, path: string, budget: FilterBudget): CesqlExpression {
  try {
    return parseCesql(expression, budget)
  } catch (cause) {
    if (!(cause instanceof CesqlError)) throw cause
    throw new FilterError(path, `must be a CESQL expression: ${cause.message}`, { cause })
  }
}
