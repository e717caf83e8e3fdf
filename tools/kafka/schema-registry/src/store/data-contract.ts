import type { Hash } from 'node:crypto'
import { isJsonObject, type JsonObject } from '@taproom/core/limits'

/** The parts of a schema besides its text. The registry keeps and answers them; clients apply the rules. */
export interface DataContract {
  readonly metadata?: JsonObject
  readonly ruleSet?: JsonObject
}

type TextMap = Readonly<Record<string, string>>

const RULE_LISTS = {
  migrationRules: ['UPGRADE', 'DOWNGRADE', 'UPDOWN'],
  domainRules: ['WRITE', 'READ', 'WRITEREAD'],
  encodingRules: ['WRITE', 'READ', 'WRITEREAD'],
} as const
const RULE_TEXTS = ['doc', 'expr', 'onSuccess', 'onFailure'] as const

/**
 * Reads `metadata` and `ruleSet` of a request, in the form in which Confluent's registry keeps them: sorted, without what is empty.
 * @throws {Error} when they are not of the shape that Confluent documents; the message names the member
 */
export function readContract(metadata: unknown, ruleSet: unknown): DataContract {
  return {
    ...(metadata != null && { metadata: readMetadata(metadata) }),
    ...(ruleSet != null && { ruleSet: readRuleSet(ruleSet) }),
  }
}

function readMetadata(value: unknown): JsonObject {
  const { tags, properties, sensitive } = object(value, 'metadata')
  const lists = Object.entries(object(tags ?? {}, 'metadata.tags'))
  const sorted = lists.sort(byKey).map(([path, names]) => [path, textSet(names, `metadata.tags["${path}"]`)])
  return filled({
    tags: Object.fromEntries(sorted),
    properties: textMap(properties, 'metadata.properties'),
    sensitive: textSet(sensitive, 'metadata.sensitive'),
  })
}

function readRuleSet(value: unknown): JsonObject {
  const given = object(value, 'ruleSet')
  const lists = Object.entries(RULE_LISTS).map(([name, modes]) => {
    const rules = list(given[name], `ruleSet.${name}`).map((rule, index) =>
      readRule(object(rule, `ruleSet.${name}[${index}]`), modes, `ruleSet.${name}[${index}]`),
    )
    return [name, rules] as const
  })
  const names = new Set<unknown>()
  for (const { name } of lists.flatMap(([, rules]) => rules)) {
    if (names.has(name)) throw new Error(`ruleSet: there are two rules with the name "${name}"`)
    names.add(name)
  }
  return filled(Object.fromEntries(lists))
}

function readRule(rule: JsonObject, modes: readonly string[], where: string): JsonObject {
  const { kind = 'TRANSFORM', mode = modes.at(-1), tags, params, disabled } = filled(rule)
  const [name, type] = [text(rule['name'], `${where}.name`), text(rule['type'], `${where}.type`)]
  if (!/^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u.test(name)) {
    const shown = JSON.stringify(name.slice(0, 100))
    throw new Error(`${where}.name must be 1 to 64 letters, digits, _ and -, with a letter or _ first; got ${shown}`)
  }
  if (kind !== 'TRANSFORM' && kind !== 'CONDITION') throw new Error(`${where}.kind must be TRANSFORM or CONDITION`)
  if (typeof mode !== 'string' || !modes.includes(mode))
    throw new Error(`${where}.mode must be one of ${modes.join(', ')}`)
  const { doc, ...texts } = Object.fromEntries(
    RULE_TEXTS.map((each) => [each, rule[each] == null ? '' : text(rule[each], `${where}.${each}`)]),
  )
  const sets = { tags: textSet(tags, `${where}.tags`), params: textMap(params, `${where}.params`) }
  return { ...filled({ name, doc, kind, mode, type, ...sets, ...texts }), disabled: disabled === true }
}

/** Adds a contract to the hash of its schema, as Confluent does. */
export function hashContract(hash: Hash, { metadata, ruleSet }: DataContract): void {
  for (const part of [metadata?.['tags'], metadata?.['properties'], metadata?.['sensitive']]) addTexts(hash, part, true)
  for (const name of Object.keys(RULE_LISTS)) addTexts(hash, ruleSet?.[name], false)
}

/** All texts within a value in their order, names of members included with `names`. */
function addTexts(hash: Hash, value: unknown, names: boolean): void {
  if (typeof value === 'string') hash.update(value)
  else if (value === true) hash.update(Buffer.of(1))
  else if (Array.isArray(value)) for (const each of value) addTexts(hash, each, names)
  else if (isJsonObject(value)) {
    for (const [name, each] of Object.entries(value)) {
      if (names) hash.update(name)
      addTexts(hash, each, names || name === 'params')
    }
  }
}

/** Without members that are null or empty. */
function filled(value: JsonObject): JsonObject {
  const isEmpty = (each: unknown) =>
    each == null || each === '' || (typeof each === 'object' && Object.keys(each).length === 0)
  return Object.fromEntries(Object.entries(value).filter(([, each]) => !isEmpty(each)))
}

function object(value: unknown, where: string): JsonObject {
  if (!isJsonObject(value)) throw new Error(`${where} must be an object`)
  return value
}

function list(value: unknown, where: string): readonly unknown[] {
  if (value == null) return []
  if (!Array.isArray(value)) throw new Error(`${where} must be a list`)
  return value
}

function text(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') throw new Error(`${where} must be a text`)
  return value
}

function textSet(value: unknown, where: string): readonly string[] {
  return [...new Set(list(value, where).map((each) => text(each, where)))].sort()
}

function textMap(value: unknown, where: string): TextMap {
  const members = Object.entries(object(value ?? {}, where)).sort(byKey)
  return Object.fromEntries(
    members.map(([name, each]) => {
      if (typeof each !== 'string') throw new Error(`${where}["${name}"] must be a text`)
      return [name, each]
    }),
  )
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}
