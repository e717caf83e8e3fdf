import { isJsonObject, type JsonObject } from '@taproom/core/limits'

export interface ObjectMeta {
  readonly name: string
  /** Absent for objects outside namespaces. */
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  /** Counts changes of the specification. */
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
  readonly spec?: JsonObject
  readonly status?: JsonObject
}

/** The metadata of a value from outside; empty where it has none. */
export function metadataOf(value: unknown): JsonObject {
  return isJsonObject(value) && isJsonObject(value['metadata']) ? value['metadata'] : {}
}

/** Bytes as JSON, without status. */
export function sizeOf(object: unknown): number {
  const counted = isJsonObject(object) ? { ...object, status: undefined } : object
  return Buffer.byteLength(JSON.stringify(counted) ?? '')
}

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
