import { quoted } from '../resources/field-reader.ts'
import type { KubeObject } from '../resources/object.ts'
import { badRequest } from './status.ts'

/** Whether an object matches. */
export type Selector = (object: KubeObject) => boolean

/** Every object is checked against each. */
const MOST_REQUIREMENTS = 100
/** The longest request head. */
const MOST_CHARACTERS = 16_384

/**
 * Reads `labelSelector` and `fieldSelector` (metadata.name and metadata.namespace, as for every Kubernetes object).
 *
 * @throws {StatusError} when one cannot be parsed, has more than 100 requirements or 16,384 characters
 */
export function parseSelectors(query: {
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
}): Selector {
  if ((query.labelSelector?.length ?? 0) + (query.fieldSelector?.length ?? 0) > MOST_CHARACTERS) {
    throw badRequest(`selectors must not have more than ${MOST_CHARACTERS} characters`)
  }
  const labels = splitRequirements(query.labelSelector ?? '')
  const fields = splitRequirements(query.fieldSelector ?? '')
  if (labels.length + fields.length > MOST_REQUIREMENTS) {
    throw badRequest(`selectors must not have more than ${MOST_REQUIREMENTS} requirements`)
  }
  const tests = [...labels.map(labelTest), ...fields.map(fieldTest)]
  return (object) => tests.every((test) => test(object))
}

/** Splits at commas outside the parentheses of a set. Runs of blanks become one, so that later patterns cannot backtrack over them. */
function splitRequirements(selector: string): readonly string[] {
  const parts: string[] = []
  let start = 0
  let isInSet = false
  for (let at = 0; at <= selector.length; at += 1) {
    const character = selector.charAt(at)
    if (character === '(') isInSet = true
    else if (character === ')') isInSet = false
    if (at < selector.length && (character !== ',' || isInSet)) continue
    const part = selector.slice(start, at).replaceAll(/\s+/g, ' ').trim()
    if (part !== '') parts.push(part)
    start = at + 1
  }
  return parts
}

const LABEL =
  /^(?:! ?(?<absent>[\w./-]+)|(?<key>[\w./-]+)(?: ?(?<operator>==|=|!=) ?(?<value>[\w.-]*)| (?<set>in|notin) ?\((?<values>[^)]*)\))?)$/

function labelTest(requirement: string): Selector {
  const groups = LABEL.exec(requirement)?.groups
  if (groups === undefined) throw badRequest(`unable to parse label selector: ${quoted(requirement)}`)
  const { absent, key = '', operator, value, set, values } = groups
  const label = ({ metadata: { labels } }: KubeObject) => {
    const name = absent ?? key
    return labels !== undefined && Object.hasOwn(labels, name) ? labels[name] : undefined
  }
  if (absent !== undefined) return (object) => label(object) === undefined
  if (set !== undefined) {
    const members = new Set((values ?? '').split(',').map((member) => member.trim()))
    return (object) => members.has(label(object) ?? '\0') === (set === 'in')
  }
  if (operator === undefined) return (object) => label(object) !== undefined
  return (object) => (label(object) === value) === (operator !== '!=')
}

const FIELD = /^(?<field>[\w.]+) ?(?<operator>==|=|!=) ?(?<value>.*)$/

function fieldTest(requirement: string): Selector {
  const { field, operator, value } = FIELD.exec(requirement)?.groups ?? {}
  if (field !== 'metadata.name' && field !== 'metadata.namespace') {
    throw badRequest(`field selector not supported: ${quoted(requirement)}`)
  }
  const read = ({ metadata }: KubeObject) => (field === 'metadata.name' ? metadata.name : metadata.namespace)
  return (object) => (read(object) === value) === (operator !== '!=')
}
