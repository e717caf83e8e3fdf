import { reasonOf } from '@taproom/core/lines'
import { shownVariable } from '@taproom/service'
import { type EnvironmentLayer, environmentOf, originOf } from '../services/environment.ts'
import { readModules } from './read-modules.ts'

export interface ConfiguredVariable {
  readonly name: string
  /** `[hidden]` for a secret; undefined when it is not set and has no default. */
  readonly value?: string
  readonly from: EnvironmentLayer['from'] | 'default'
  /** The values that it may have, in words. */
  readonly expected?: string
}

export interface ConfigurationOptions {
  readonly name: string
  readonly cwd: string
  /** File URL of a module with `readConfig`; without one it is only known what the process was given. */
  readonly config?: string
  readonly layers: readonly EnvironmentLayer[]
}

/**
 * The variables that a service reads, in that order, by its own `readConfig` with the service's environment.
 *
 * @throws {Error} when its configuration cannot be loaded
 */
export async function readConfiguration(options: ConfigurationOptions): Promise<readonly ConfiguredVariable[]> {
  const { name, cwd, config, layers } = options
  const env = environmentOf(layers)
  if (config === undefined) {
    return Object.keys(env).flatMap((variable) => {
      const from = originOf(variable, layers)
      return from === undefined || from === 'environment'
        ? []
        : [{ name: variable, from, ...shownVariable(variable, env[variable]) }]
    })
  }
  const [read] = await readModules([{ url: config, env }], { cwd, env }).catch((cause: unknown) => {
    throw new Error(`the configuration of ${name} cannot be read: ${reasonOf(cause)}`, { cause })
  })
  return (read?.reads ?? []).map(({ name: variable, setAs, value, expected }) => ({
    name: variable,
    ...(value !== undefined && { value }),
    from: (setAs === undefined ? undefined : originOf(setAs, layers)) ?? 'default',
    ...(expected !== undefined && { expected }),
  }))
}
