import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '@taproom/core/limits'
import { admit } from '../resources/admission.ts'
import { InvalidObjectError, quoted, shortened } from '../resources/field-reader.ts'
import { ALL_KINDS } from '../resources/kinds.ts'
import { type KubeObject, metadataOf } from '../resources/object.ts'
import { CapacityError, keyOf, keyText, type ResourceStore } from '../resources/resource-store.ts'
import type { ManifestDocument, ManifestProblem, ParsedManifest } from './parse-manifests.ts'

/** An object as last read from its manifest. */
export interface AppliedManifest {
  readonly object: KubeObject
  readonly file: string
}

/**
 * Objects from manifest files. An invalid one is refused and its old version kept; one that left the files is deleted, unless a refused one
 * may be it; one changed through the resource API stays changed until its manifest changes.
 */
export class ManifestSet {
  readonly #store: ResourceStore
  #applied: Map<string, AppliedManifest>

  /** `applied` is from before a restart. */
  constructor(store: ResourceStore, applied: readonly AppliedManifest[] = []) {
    this.#store = store
    this.#applied = new Map(applied.map((manifest) => [keyText(keyOf(manifest.object)), manifest]))
  }

  get applied(): readonly AppliedManifest[] {
    return [...this.#applied.values()]
  }

  /** Makes the store match the files; returns what was refused, and the numbers of objects changed in the store. */
  apply(files: readonly ParsedManifest[]) {
    const problems = files.flatMap(({ problem }) => problem ?? [])
    const isAnyUnreadable = problems.length > 0
    /** Files with a refused object that replaces none: it may be a known one with a mistyped name or kind. */
    const unclear = new Set<string>()
    const next = new Map<string, AppliedManifest>()
    const counts = { added: 0, changed: 0, removed: 0 }

    for (const document of inDependencyOrder(files)) {
      const key = looseKey(document.value)
      const previous = key === undefined ? undefined : this.#applied.get(key)
      const duplicate = key === undefined ? undefined : next.get(key)
      if (duplicate !== undefined) {
        problems.push({ ...place(document), field: 'metadata.name', rule: `is already defined in ${duplicate.file}` })
        continue
      }
      const result = this.#admit(document)
      if ('problems' in result) {
        problems.push(...result.problems)
        if (key !== undefined && previous !== undefined) next.set(key, previous)
        else unclear.add(document.file)
        continue
      }
      const object = result.object
      if (!isDeepStrictEqual(previous?.object, object)) {
        const before = this.#store.get(keyOf(object))
        const problem = this.#put(object, document)
        if (problem !== undefined) {
          problems.push(problem)
          if (previous !== undefined) next.set(keyText(keyOf(object)), previous)
          continue
        }
        if (this.#store.get(keyOf(object)) !== before) counts[before === undefined ? 'added' : 'changed'] += 1
      }
      next.set(keyText(keyOf(object)), { object, file: document.file })
    }

    for (const [key, applied] of namespacesLast(this.#applied)) {
      if (next.has(key)) continue
      if (isAnyUnreadable || unclear.has(applied.file) || isLivedIn(applied.object, next)) next.set(key, applied)
      else if (this.#store.delete(keyOf(applied.object)) !== undefined) counts.removed += 1
    }
    this.#applied = next
    return { problems, ...counts }
  }

  #put(object: KubeObject, document: ManifestDocument): ManifestProblem | undefined {
    try {
      this.#store.put(object, { isOfFile: true })
      return undefined
    } catch (error) {
      if (!(error instanceof CapacityError)) throw error
      return { ...place(document), field: '(root)', rule: error.message }
    }
  }

  #admit(document: ManifestDocument): { object: KubeObject } | { problems: readonly ManifestProblem[] } {
    try {
      const { object, kind } = admit(document.value)
      const existing = this.#store.get(keyOf(object))
      if (existing !== undefined) admit(document.value, existing)
      const { namespace } = object.metadata
      if (kind.isNamespaced && this.#store.get({ kind: 'Namespace', name: namespace ?? '' }) === undefined) {
        const rule = `namespace "${namespace}" not found`
        return { problems: [{ ...place(document), field: 'metadata.namespace', rule }] }
      }
      return { object }
    } catch (error) {
      if (!(error instanceof InvalidObjectError)) throw error
      return { problems: error.problems.map((problem) => ({ ...place(document), ...problem })) }
    }
  }
}

function namespacesLast(applied: ReadonlyMap<string, AppliedManifest>) {
  const rank = ({ object }: AppliedManifest) => Number(object.kind === 'Namespace')
  return [...applied].sort(([, a], [, b]) => rank(a) - rank(b))
}

/** Deleting a namespace would delete everything in it. */
function isLivedIn({ kind, metadata }: KubeObject, applied: ReadonlyMap<string, AppliedManifest>): boolean {
  if (kind !== 'Namespace') return false
  return [...applied.values()].some(({ object }) => object.metadata.namespace === metadata.name)
}

function place({ file, line, value }: ManifestDocument): Omit<ManifestProblem, 'field' | 'rule'> {
  const { kind } = isJsonObject(value) ? value : {}
  const { name } = metadataOf(value)
  if (typeof kind !== 'string') return { file, line }
  return { file, line, object: `${shortened(kind)} ${quoted(typeof name === 'string' ? name : '')}` }
}

/** The key that a valid version would have, to find the one it was meant to replace. */
function looseKey(value: unknown): string | undefined {
  const kind = isJsonObject(value) ? ALL_KINDS.find((candidate) => candidate.kind === value['kind']) : undefined
  const { name, namespace = 'default' } = metadataOf(value)
  if (kind === undefined || typeof name !== 'string' || typeof namespace !== 'string') return undefined
  return keyText({ kind: kind.kind, namespace: kind.isNamespaced ? namespace : undefined, name })
}

/** Namespaces first; otherwise in the order of files. */
function inDependencyOrder(files: readonly ParsedManifest[]): readonly ManifestDocument[] {
  const rank = ({ value }: ManifestDocument) => (isJsonObject(value) && value['kind'] === 'Namespace' ? 0 : 1)
  return files.flatMap(({ documents }) => documents).sort((a, b) => rank(a) - rank(b))
}
