/** A JSON object as it stands in a manifest or on the wire. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Metadata every stored object carries. */
export interface ObjectMeta {
  readonly name: string
  /** Absent for what belongs to no namespace. */
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  /** Counts the changes of the specification. */
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

/** A Kubernetes object. */
export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
  readonly spec?: JsonObject
  readonly status?: JsonObject
}

/** True for a JSON object, false for arrays, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Bytes of an object as JSON, without its status. */
export function sizeOf(object: unknown): number {
  const counted = isJsonObject(object) ? { ...object, status: undefined } : object
  return Buffer.byteLength(JSON.stringify(counted) ?? '')
}
