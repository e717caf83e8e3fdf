type Fields = Readonly<Record<string, unknown>>

/** By which field kustomize merges a list of a pod; it replaces other lists. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
}

/** A value after a strategic merge patch; undefined when the patch deletes it. `mergesLists` is false for kinds of custom resources. */
export function merged(value: unknown, patch: unknown, mergesLists: boolean): unknown {
  if (!isFields(patch)) return patch ?? undefined
  const { $patch: directive, ...fields } = patch
  if (directive === 'delete') return undefined
  const result: Record<string, unknown> = directive === 'replace' || !isFields(value) ? {} : { ...value }
  for (const [name, change] of Object.entries(fields)) {
    const key = mergesLists ? MERGE_KEYS[name] : undefined
    const after =
      key !== undefined && Array.isArray(change)
        ? mergedList(result[name], change, key)
        : merged(result[name], change, mergesLists)
    if (after === undefined) delete result[name]
    else result[name] = after
  }
  return result
}

function mergedList(value: unknown, patch: readonly unknown[], key: string): readonly unknown[] {
  const replaces = patch.some((entry) => isFields(entry) && entry['$patch'] === 'replace' && entry[key] === undefined)
  const list = Array.isArray(value) && !replaces ? [...value] : []
  for (const entry of patch) {
    if (!isFields(entry) || entry[key] === undefined) continue
    const index = list.findIndex((present) => isFields(present) && present[key] === entry[key])
    const after = merged(list[index], entry, true)
    list.splice(index < 0 ? list.length : index, 1, ...(after === undefined ? [] : [after]))
  }
  return list
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
