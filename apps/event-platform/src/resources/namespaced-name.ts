import type { KubeObject } from './object.ts'

/** Which object of a kind that lives in namespaces. */
export interface NamespacedName {
  readonly namespace: string
  readonly name: string
}

/** The name of an object that lives in a namespace, as admission has given it one. */
export function namespacedName({ metadata }: KubeObject): NamespacedName {
  return { namespace: metadata.namespace ?? '', name: metadata.name }
}

/** `namespace/name`: as it is shown, and as the key of a map. */
export function nameText({ namespace, name }: NamespacedName): string {
  return `${namespace}/${name}`
}
