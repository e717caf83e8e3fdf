import { AbsentError } from './absent-error.ts'
import { patched } from './json-patch.ts'
import type { KubeObject } from './kube-object.ts'
import { isFields, merged } from './merge-patch.ts'
import { yamlDocuments } from './yaml-documents.ts'

/** Which objects a patch is for: regular expressions that match as a whole. Members that are not there match all. */
export interface PatchTarget {
  readonly group?: string
  readonly version?: string
  readonly kind?: string
  readonly name?: string
  readonly namespace?: string
  readonly labelSelector?: string
  readonly annotationSelector?: string
}

/**
 * Objects after a patch of a kustomization: a JSON patch or a strategic merge patch, as its text is.
 *
 * @throws {AbsentError} when the patch is for no object that is here
 * @throws {UnreadError} when only kustomize reads an operation of the patch
 * @throws {Error} when a path of the patch does not exist, or the text is not YAML
 */
export function withPatch(
  objects: readonly KubeObject[],
  text: string,
  target: PatchTarget | undefined,
): readonly KubeObject[] {
  return yamlDocuments(text).reduce<readonly KubeObject[]>((all, patch) => withOne(all, patch, target), objects)
}

function withOne(
  objects: readonly KubeObject[],
  patch: unknown,
  target: PatchTarget | undefined,
): readonly KubeObject[] {
  if (Array.isArray(patch)) {
    if (target === undefined) throw new RangeError('a JSON patch has no target')
    return objects.map((object) => (isTarget(object, target) ? patched(object, patch) : object))
  }
  if (!isFields(patch)) return objects
  const isOf = target === undefined ? isNamed(patch) : (object: KubeObject) => isTarget(object, target)
  if (target === undefined && !objects.some(isOf)) {
    const { kind, metadata } = patch as Partial<KubeObject>
    throw new AbsentError(`a patch is for ${kind} ${metadata?.name}, which is not there`)
  }
  return objects.flatMap((object) => {
    if (!isOf(object)) return object
    const { apiVersion, kind, metadata } = object
    const after = merged(object, patch, isBuiltIn(apiVersion)) as KubeObject | undefined
    // With a target, the name in the patch is any.
    return after === undefined
      ? []
      : { ...after, apiVersion, kind, metadata: { ...after.metadata, name: metadata.name } }
  })
}

function isNamed({ kind, metadata }: Partial<KubeObject>): (object: KubeObject) => boolean {
  return (object) => object.kind === kind && object.metadata.name === metadata?.name
}

/** kustomize knows how the lists of these are merged. */
function isBuiltIn(apiVersion: string): boolean {
  return !apiVersion.includes('.') || apiVersion.includes('.k8s.io/')
}

function isTarget({ apiVersion, kind, metadata }: KubeObject, target: PatchTarget): boolean {
  const [version = '', group = ''] = apiVersion.split('/').toReversed()
  const fits = (pattern: string | undefined, value = '') =>
    pattern === undefined || pattern === '' || new RegExp(`^(?:${pattern})$`).test(value)
  return (
    fits(target.group, group) &&
    fits(target.version, version) &&
    fits(target.kind, kind) &&
    fits(target.name, metadata.name) &&
    fits(target.namespace, metadata.namespace) &&
    hasAll(target.labelSelector, metadata.labels) &&
    hasAll(target.annotationSelector, metadata.annotations)
  )
}

/** Selectors of equality, which are those of use in a kustomization. */
function hasAll(selector: string | undefined, values: Readonly<Record<string, string>> = {}): boolean {
  if (selector === undefined || selector === '') return true
  return selector.split(',').every((one) => {
    const [, key = '', not, value] = /^\s*([^!=\s]+)\s*(?:(!)?==?\s*(\S*))?\s*$/.exec(one) ?? []
    if (value === undefined) return Object.hasOwn(values, key)
    return (values[key] === value) !== (not === '!')
  })
}
