import { isJsonObject } from '@taproom/core/limits'
import type { Verdict } from '../api/verdicts.ts'
import { closeName } from './close-names.ts'
import { count, fullName, platformData, type Trigger } from './eventing-facts.ts'
import type { Facts } from './facts.ts'

/** CloudEvents 1.0; others are extensions. */
const ATTRIBUTES = ['id', 'source', 'specversion', 'type', 'datacontenttype', 'dataschema', 'subject', 'time']
const DIALECTS = ['attributes', 'exact', 'prefix', 'suffix']
const MAX_SHOWN = 5
/** Nested `all` and `any` that are read. */
const MAX_DEPTH = 8

interface Condition {
  readonly dialect: string
  readonly attribute: string
  readonly value: string
}

/** Why no event has matched a trigger's filter so far; undefined when one has, or none has come. */
export function filterVerdict(trigger: Trigger, facts: Facts): Omit<Verdict, 'part'> | undefined {
  const data = platformData(facts, `Trigger ${fullName(trigger)}`)
  const filtered = count(data, 'filtered')
  const matched = ['delivered', 'deadLettered', 'dropped', 'setAside', 'underWay'].some((end) => count(data, end) > 0)
  if (filtered === 0 || matched) return undefined
  const seen = seenAt(`${trigger.namespace}/${trigger.broker}`, facts)
  const typo = conditionsOf(trigger.filter)
    .map((condition) => typoOf(condition, seen))
    .find((each) => each !== undefined)
  const types = [...(seen.get('type') ?? [])].slice(0, MAX_SHOWN).join(', ')
  const events = filtered === 1 ? 'the one event did not match' : `none of ${filtered} events matched`
  return {
    severity: typo === undefined ? 'warning' : 'error',
    problem: `trigger ${trigger.name}: ${typo === undefined ? '' : 'typo: '}${events}${typo === undefined ? '' : `: ${typo.problem}`}`,
    evidence: { filter: JSON.stringify(trigger.filter).slice(0, 500), filtered, typesSeen: types },
    remedy: typo?.remedy ?? `Compare the filter with the types of received events: ${types || 'none is known'}.`,
  }
}

/** Values of `type` and `source` that events at a broker had. */
function seenAt(broker: string, { stories }: Facts): ReadonlyMap<string, ReadonlySet<string>> {
  const own = stories.filter((story) => story.broker === broker)
  const valuesOf = (values: readonly string[]) => new Set(values.filter((value) => value !== ''))
  return new Map([
    ['type', valuesOf(own.map(({ type }) => type))],
    ['source', valuesOf(own.map(({ source }) => source))],
  ])
}

function typoOf({ dialect, attribute, value }: Condition, seen: ReadonlyMap<string, ReadonlySet<string>>) {
  const name = ATTRIBUTES.includes(attribute) ? undefined : closeName(attribute, ATTRIBUTES)
  if (name !== undefined) {
    const problem = `no event has the attribute "${attribute}"; did you mean ${name}?`
    return { problem, remedy: `Write ${name} in place of ${attribute} in the filter.` }
  }
  if (dialect === 'prefix' || dialect === 'suffix') return undefined
  const close = closeName(value, seen.get(attribute) ?? [])
  if (close === undefined) return undefined
  const problem = `the filter requires ${attribute} "${value}"; nearest ${attribute} seen: ${close}`
  return {
    problem,
    remedy: `Write ${close} in place of ${value} in the filter, or send events of ${attribute} ${value}.`,
  }
}

/** Attributes and values that a filter wants, in `all` and `any` too; CESQL is not read. */
function conditionsOf(filter: unknown, depth = 0): readonly Condition[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(filter)) return filter.flatMap((each) => conditionsOf(each, depth + 1))
  if (!isJsonObject(filter)) return []
  return Object.entries(filter).flatMap(([dialect, wanted]) => {
    if (dialect === 'all' || dialect === 'any') return conditionsOf(wanted, depth + 1)
    if (!DIALECTS.includes(dialect) || !isJsonObject(wanted)) return []
    return Object.entries(wanted).map(([attribute, value]) => ({ dialect, attribute, value: String(value) }))
  })
}
