/** The identity of an object of a cluster. */
export interface ClusterObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
}

/** An object of a cluster, as far as environments are read from it. */
export interface KubeObject extends ClusterObject {
  readonly spec?: unknown
  /** Texts in ConfigMaps; base64 in Secrets. Values that are not known here are undefined. */
  readonly data?: Readonly<Record<string, string | undefined>>
  /** Secrets have it beside `data`. */
  readonly stringData?: Readonly<Record<string, string | undefined>>
}
