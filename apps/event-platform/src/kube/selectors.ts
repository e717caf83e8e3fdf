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

/** Commas separate requirements, except between the parentheses of a set. */
function requirements(selector: unknown): readonly string[] {
  return typeof selector === 'string' ? selector.split(/,(?![^(]*\))/).filter((part) => part.trim() !== '') : []
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
