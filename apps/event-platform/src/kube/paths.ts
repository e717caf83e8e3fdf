import { ALL_KINDS, apiVersionOf, type Kind } from '../resources/kinds.ts'

export interface ResourcePath {
  readonly kind: Kind
  /** As requested. */
  readonly version: string
  readonly namespace: string | undefined
  /** Absent for a collection. */
  readonly name: string | undefined
  readonly subresource: string | undefined
}

/** Reads a path such as `/apis/eventing.knative.dev/v1/namespaces/default/triggers/aloha`; undefined for any other. */
export function parseResourcePath(path: string): ResourcePath | undefined {
  // No name needs percent-encoding; an encoded one is not found.
  const parts = path.split('/').filter(Boolean)
  const isCore = parts[0] === 'api'
  const [group, version, rest] = isCore ? ['', parts[1], parts.slice(2)] : [parts[1], parts[2], parts.slice(3)]
  if ((!isCore && parts[0] !== 'apis') || version === undefined) return undefined
  const isInNamespace = rest[0] === 'namespaces' && rest.length > 2
  const [plural, name, subresource, ...more] = isInNamespace ? rest.slice(2) : rest
  const kind = ALL_KINDS.find(
    (candidate) => candidate.group === group && candidate.plural === plural && candidate.versions.includes(version),
  )
  if (kind === undefined || more.length > 0 || (isInNamespace && !kind.isNamespaced)) return undefined
  // Without a namespace, a namespaced kind has only its whole collection.
  if (kind.isNamespaced && !isInNamespace && name !== undefined) return undefined
  return { kind, version, namespace: isInNamespace ? rest[1] : undefined, name, subresource }
}

/** For example `triggers.eventing.knative.dev`. */
export function resourceName({ plural, group }: Kind): string {
  return group === '' ? plural : `${plural}.${group}`
}

/** Each group's preferred version comes first. */
export function apiGroups(): readonly { readonly name: string; readonly versions: readonly string[] }[] {
  const names = [...new Set(ALL_KINDS.map(({ group }) => group))].filter((group) => group !== '')
  return names.map((name) => {
    const versions = ALL_KINDS.filter(({ group }) => group === name).flatMap((kind) => kind.versions)
    return { name, versions: [...new Set(versions)].toSorted(byMaturity) }
  })
}

/** `v1` before `v1beta1` before `v1alpha1`. */
function byMaturity(a: string, b: string): number {
  const stage = (version: string) => ['alpha', 'beta'].findIndex((word) => version.includes(word)) >>> 0
  return stage(b) - stage(a)
}

export function kindsOf(groupVersion: string): readonly Kind[] {
  return ALL_KINDS.filter((kind) => kind.versions.some((version) => apiVersionOf(kind, version) === groupVersion))
}
