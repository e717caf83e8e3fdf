/** The fields of a container that its environment comes from. */
export interface ContainerFields {
  readonly env?:
    | readonly {
        readonly name: string
        readonly value?: string
        readonly valueFrom?: {
          readonly configMapKeyRef?: KeyReference | null
          readonly secretKeyRef?: KeyReference | null
        } | null
      }[]
    | null
  readonly envFrom?:
    | readonly {
        readonly prefix?: string
        readonly configMapRef?: SourceReference | null
        readonly secretRef?: SourceReference | null
      }[]
    | null
}

interface SourceReference {
  readonly name?: string
  readonly optional?: boolean
}

interface KeyReference extends SourceReference {
  readonly key: string
}

/** The variables that a container starts with, as far as they are known. */
export interface ContainerEnvironment {
  readonly env: Readonly<Record<string, string>>
  /** Variables whose values are not here, by name, with the keys of the Secrets they come from, such as `kafka/bootstrap-servers`. */
  readonly given: ReadonlyMap<string, Given>
  /** True when there may be more variables, of Secrets and ConfigMaps that are not here. */
  readonly isOpen: boolean
  /** ConfigMaps that are not there, and keys that they do not have. */
  readonly problems: readonly string[]
  /** ConfigMaps that are not here, where there may be more of them. */
  readonly unread: readonly string[]
}

interface Given {
  readonly key?: string
  readonly optional: boolean
}

/** The data of a ConfigMap or a Secret, where values that are not known are undefined; undefined when it is not here. */
export type FindData = (
  kind: 'ConfigMap' | 'Secret',
  name: string,
) => Readonly<Record<string, string | undefined>> | undefined

/**
 * The variables of a container: those of its ConfigMaps and Secrets first, then its own. `hasMore` is true when there may be ConfigMaps that
 * `dataOf` does not find; false without it.
 */
export function containerEnvironment(
  { env, envFrom }: ContainerFields,
  dataOf: FindData,
  hasMore = false,
): ContainerEnvironment {
  const known: Record<string, string> = {}
  const given = new Map<string, Given>()
  const problems: string[] = []
  const unread: string[] = []
  let isOpen = false
  const drop = (name: string) => {
    delete known[name]
    given.delete(name)
  }
  const take = (name: string, value: string | undefined, source: Given = { optional: false }) => {
    drop(name)
    if (value === undefined) given.set(name, source)
    else known[name] = value
  }

  for (const { configMapRef, secretRef, prefix = '' } of envFrom ?? []) {
    const kind = secretRef == null ? 'ConfigMap' : 'Secret'
    const { name = '', optional = false } = secretRef ?? configMapRef ?? {}
    const data = dataOf(kind, name)
    if (data === undefined && (kind === 'Secret' || hasMore)) isOpen = true
    if (data === undefined && kind === 'ConfigMap' && !optional) {
      ;(hasMore ? unread : problems).push(`ConfigMap ${name} of envFrom does not exist`)
    }
    for (const [key, value] of Object.entries(data ?? {})) take(prefix + key, value)
  }
  for (const { name, value = '', valueFrom } of env ?? []) {
    const { secretKeyRef, configMapKeyRef } = valueFrom ?? {}
    const reference = secretKeyRef ?? configMapKeyRef
    if (reference == null) {
      // Kubernetes alone knows fields of a pod, and puts other variables in place of `$(NAME)`.
      take(name, valueFrom != null || /\$\([\w.-]+\)/.test(value) ? undefined : value)
      continue
    }
    const { name: source = '', key, optional = false } = reference
    const kind = secretKeyRef == null ? 'ConfigMap' : 'Secret'
    const data = dataOf(kind, source)
    const mayBeElsewhere = hasMore && data === undefined
    if (data !== undefined && Object.hasOwn(data, key)) take(name, data[key])
    else if (kind === 'Secret') take(name, undefined, { key: `${source}/${key}`, optional })
    else {
      if (mayBeElsewhere) take(name, undefined)
      else drop(name)
      if (!optional)
        (mayBeElsewhere ? unread : problems).push(`${name} comes from an unknown ConfigMap: ${source}/${key}`)
    }
  }
  return { env: known, given, isOpen, problems, unread }
}
