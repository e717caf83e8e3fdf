import type { KubeObject } from '../resources/object.ts'
import { StatusError } from './status.ts'

/** Says whether an object is meant by a request's selectors. */
export type Selector = (object: KubeObject) => boolean

/** Reads `labelSelector` and `fieldSelector` (metadata.name and metadata.namespace, as for every Kubernetes object). */
export function parseSelectors(query: { labelSelector?: unknown; fieldSelector?: unknown }): Selector {
  const tests = [
    ...requirements(query.labelSelector).map(labelTest),
    ...requirements(query.fieldSelector).map(fieldTest),
  ]
  return (object) => tests.every((test) => test(object))
}

/**
 * Commas separate requirements, except between the parentheses of a set. Runs of blanks become one, so that no pattern that looks for
 * blanks here can take more than one way.
 */
function requirements(selector: unknown): readonly string[] {
  if (typeof selector !== 'string') return []
  const parts: string[] = []
  let start = 0
  let isInSet = false
  for (let at = 0; at <= selector.length; at += 1) {
    const character = selector.charAt(at)
    if (character === '(') isInSet = true
    else if (character === ')') isInSet = false
    if (at < selector.length && (character !== ',' || isInSet)) continue
    parts.push(selector.slice(start, at).replaceAll(/\s+/g, ' ').trim())
    start = at + 1
  }
  return parts.filter((part) => part !== '')
}

const LABEL =
  /^\s*(?:!\s*(?<absent>[\w./-]+)|(?<key>[\w./-]+)\s*(?:(?<operator>==|=|!=)\s*(?<value>[\w.-]*)|\s(?<set>in|notin)\s*\((?<values>[^)]*)\))?)\s*$/

function labelTest(requirement: string): Selector {
  const groups = LABEL.exec(requirement)?.groups
  if (groups === undefined) throw new StatusError('BadRequest', `unable to parse label selector: ${requirement}`)
  const { absent, key = '', operator, value, set, values } = groups
  const label = ({ metadata }: KubeObject) => metadata.labels?.[absent ?? key]
  if (absent !== undefined) return (object) => label(object) === undefined
  if (set !== undefined) {
    const members = (values ?? '').split(',').map((member) => member.trim())
    return (object) => members.includes(label(object) ?? '\0') === (set === 'in')
  }
  if (operator === undefined) return (object) => label(object) !== undefined
  return (object) => (label(object) === value) === (operator !== '!=')
}

function fieldTest(requirement: string): Selector {
  const [, field, operator, value] = /^\s*([\w.]+)\s*(==|=|!=)\s*(.*?)\s*$/.exec(requirement) ?? []
  if (field !== 'metadata.name' && field !== 'metadata.namespace') {
    throw new StatusError('BadRequest', `field selector not supported: ${requirement}`)
  }
  const read = ({ metadata }: KubeObject) => (field === 'metadata.name' ? metadata.name : metadata.namespace)
  return (object) => (read(object) === value) === (operator !== '!=')
}
