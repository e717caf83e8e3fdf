import type { CloudEventV1 } from 'cloudevents'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attributeOf, createFilter, type SubscriptionFilter } from './index.ts'

const NAMES = ['type', 'source', 'subject', 'color']
const text = fc.stringMatching(/^[ab%_]{1,3}$/)

const events = fc
  .record({ type: text, source: text, subject: fc.option(text, { nil: undefined }), color: fc.option(text) })
  .map(
    ({ type, source, subject, color }): CloudEventV1<Buffer> => ({
      specversion: '1.0',
      id: '1',
      type,
      source,
      ...(subject !== undefined && { subject }),
      extensions: color === null ? {} : { color },
    }),
  )

const { filter: filters } = fc.letrec<{ filter: SubscriptionFilter }>((tie) => {
  const attributes = fc.dictionary(fc.constantFrom(...NAMES), text, { minKeys: 1, maxKeys: 2 })
  const nested = fc.array(tie('filter'), { minLength: 1, maxLength: 3 })
  return {
    filter: fc.oneof(
      { maxDepth: 3 },
      attributes.map((exact) => ({ exact })),
      attributes.map((prefix) => ({ prefix })),
      attributes.map((suffix) => ({ suffix })),
      nested.map((all) => ({ all })),
      nested.map((any) => ({ any })),
      tie('filter').map((not) => ({ not })),
    ),
  }
})

/** The dialects as the specification's sentences say, one after another. */
function naively(filter: SubscriptionFilter, event: CloudEventV1<Buffer>): boolean {
  const [[dialect, spec]] = Object.entries(filter) as [[string, unknown]]
  const attributes: Record<string, string> = { ...(event as object) }
  const each = (matches: (value: string, wanted: string) => boolean) =>
    Object.entries(spec as Record<string, string>).every(([name, wanted]) => matches(attributes[name] ?? '', wanted))
  switch (dialect) {
    case 'exact':
      return each((value, wanted) => value === wanted)
    case 'prefix':
      return each((value, wanted) => value.slice(0, wanted.length) === wanted)
    case 'suffix':
      return each((value, wanted) => value.slice(Math.max(0, value.length - wanted.length)) === wanted)
    case 'all':
      return !(spec as SubscriptionFilter[]).some((inner) => !naively(inner, event))
    case 'any':
      return (spec as SubscriptionFilter[]).some((inner) => naively(inner, event))
    default:
      return !naively(spec as SubscriptionFilter, event)
  }
}

/** The same filter as an expression: an attribute that is not there would be an error, which is no match, also under NOT. */
function asCesql(filter: SubscriptionFilter): string {
  const [[dialect, spec]] = Object.entries(filter) as [[string, unknown]]
  const each = (test: (wanted: string) => string) =>
    Object.entries(spec as Record<string, string>)
      .map(([name, wanted]) => `(EXISTS ${name} AND ${name} ${test(wanted)})`)
      .join(' AND ')
  const escaped = (wanted: string) => wanted.replaceAll(/[%_]/g, '\\$&')
  const join = (operator: string) =>
    (spec as SubscriptionFilter[]).map((inner) => `(${asCesql(inner)})`).join(` ${operator} `)
  switch (dialect) {
    case 'exact':
      return each((wanted) => `= '${wanted}'`)
    case 'prefix':
      return each((wanted) => `LIKE '${escaped(wanted)}%'`)
    case 'suffix':
      return each((wanted) => `LIKE '%${escaped(wanted)}'`)
    case 'all':
      return join('AND')
    case 'any':
      return join('OR')
    default:
      return `NOT (${asCesql(spec as SubscriptionFilter)})`
  }
}

describe('the dialects of filters', () => {
  it('match what a naive reading of the specification matches', () => {
    fc.assert(
      fc.property(filters, events, (filter, event) => {
        expect(createFilter({ filters: [filter] })(event)).toBe(naively(filter, event))
      }),
      { numRuns: 2000 },
    )
  })

  it('match what the same filter matches as a cesql expression', () => {
    fc.assert(
      fc.property(filters, events, (filter, event) => {
        const cesql = createFilter({ filters: [{ cesql: asCesql(filter) }] })
        expect(cesql(event)).toBe(createFilter({ filters: [filter] })(event))
      }),
      { numRuns: 2000 },
    )
  })

  it('match no event without what they need', () => {
    let needing = 0
    fc.assert(
      fc.property(fc.array(filters, { minLength: 1, maxLength: 3 }), events, (several, event) => {
        const filter = createFilter({ filters: several })
        if (filter.needs === undefined || !filter(event)) return
        needing += 1
        expect(attributeOf(event, filter.needs.name)).toBe(filter.needs.value)
      }),
      { numRuns: 10_000 },
    )
    expect(needing).toBeGreaterThan(0)
  })

  it('of several filters all must match', () => {
    fc.assert(
      fc.property(fc.array(filters, { minLength: 1, maxLength: 4 }), events, (several, event) => {
        expect(createFilter({ filters: several })(event)).toBe(several.every((filter) => naively(filter, event)))
      }),
    )
  })
})
