import { projectName } from './project-name.ts'

/** `/orders`, or `/orders/*` for all below it. */
const PATH = /^(?:\/[\w.~=@%-]+)+(?:\/\*)?$/
/** As Kubernetes wants names. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** What a system may have beside its apps, in a cluster or in Compose. */
export const RESERVED_NAMES: readonly string[] = ['console', 'databases', 'gateway', 'kafka', 'postgres', 'postgresql']

/** @throws {RangeError} when the name of the system has none for a namespace in it, or that of an app cannot be one */
export function refuseWrongNames(system: {
  readonly name: string
  readonly apps: Readonly<Record<string, unknown>>
}): void {
  if (!NAME.test(projectName(system))) {
    throw new RangeError(
      `system: "${system.name}" has no name for a namespace in it: expected letters or digits, 63 at most`,
    )
  }
  for (const name of Object.keys(system.apps)) {
    if (!NAME.test(name)) {
      throw new RangeError(
        `system: "${name}" cannot be the name of an app: expected lower case letters, digits and -, 63 at most`,
      )
    }
    if (RESERVED_NAMES.includes(name))
      throw new RangeError(`system: ${name} cannot be the name of an app: systems have one of their own`)
  }
}

/** @throws {RangeError} when no gateway could serve a path, or two apps have it */
export function refuseWrongPaths(apps: Readonly<Record<string, { readonly serves?: readonly string[] }>>): void {
  const servers = new Map<string, string>()
  for (const [name, { serves = [] }] of Object.entries(apps)) {
    for (const path of serves) {
      if (!PATH.test(path)) {
        throw new RangeError(
          `system: ${name} serves "${path}": expected one such as /orders, or /orders/* for all below it`,
        )
      }
      const other = servers.get(path)
      if (other !== undefined) throw new RangeError(`system: ${path} is served by ${other} and by ${name}`)
      servers.set(path, name)
    }
  }
}

/** @throws {RangeError} when a variable of `cluster` is no text */
export function refuseWrongVariables(
  apps: Readonly<
    Record<string, { readonly cluster?: Partial<Record<'env' | 'production', Readonly<Record<string, unknown>>>> }>
  >,
): void {
  for (const [name, { cluster }] of Object.entries(apps)) {
    for (const part of ['env', 'production'] as const) {
      for (const [variable, value] of Object.entries(cluster?.[part] ?? {})) {
        if (typeof value === 'string') continue
        throw new RangeError(
          `system: ${variable} is ${value} in cluster.${part} of ${name}: expected text, such as '${value}'`,
        )
      }
    }
  }
}
