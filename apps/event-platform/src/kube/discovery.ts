import type { Kind } from '../resources/kinds.ts'
import { apiGroups, kindsOf } from './paths.ts'

const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']

/** `/` */
export function rootPaths(): object {
  const groups = apiGroups().flatMap(({ name, versions }) => [name, ...versions.map((version) => `${name}/${version}`)])
  const apis = ['/api', '/api/v1', '/apis', ...groups.map((group) => `/apis/${group}`)]
  return { paths: [...apis, '/healthz', '/livez', '/openapi/v3', '/readyz', '/version'] }
}

/** `/api` */
export function coreVersions(): object {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }
}

/** `/apis` */
export function groupList(): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: apiGroups().map(groupEntry) }
}

/** `/apis/{group}`; undefined for an unknown group. */
export function groupDescription(name: string): object | undefined {
  const group = apiGroups().find((candidate) => candidate.name === name)
  return group && { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) }
}

/** `/api/v1` and `/apis/{group}/{version}`; undefined for an unknown version. */
export function resourceList(groupVersion: string): object | undefined {
  const kinds = kindsOf(groupVersion)
  if (kinds.length === 0) return undefined
  const resources = [...kinds.map(resourceEntry), ...(groupVersion === 'v1' ? [EVENTS] : [])]
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources }
}

/** There are no events, but `kubectl describe` asks for them. */
const EVENTS = {
  name: 'events',
  singularName: 'event',
  namespaced: true,
  kind: 'Event',
  verbs: ['list'],
  shortNames: ['ev'],
}

function groupEntry({ name, versions }: { readonly name: string; readonly versions: readonly string[] }) {
  const entries = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions: entries, preferredVersion: entries[0] }
}

function resourceEntry(kind: Kind): object {
  return {
    name: kind.plural,
    singularName: kind.singular,
    namespaced: kind.isNamespaced,
    kind: kind.kind,
    verbs: VERBS,
    ...(kind.shortNames.length > 0 && { shortNames: kind.shortNames }),
    ...(kind.categories.length > 0 && { categories: kind.categories }),
  }
}
