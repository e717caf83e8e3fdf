import type { KubeObject } from './object.ts'

export interface NamespacedName {
  readonly namespace: string
  readonly name: string
}

/** Admission has set both parts. */
export function namespacedName({ metadata }: KubeObject): NamespacedName {
  return { namespace: metadata.namespace ?? '', name: metadata.name }
}

/** `namespace/name`, for display and as a key. */
export function nameText({ namespace, name }: NamespacedName): string {
  return `${namespace}/${name}`
}
