import type { Env } from '@taproom/service'

/** Variables of a process, and who gives them: the environment of `pnpm start`, `system.ts`, or `pnpm start` itself. */
export interface EnvironmentLayer {
  readonly from: 'environment' | 'system' | 'start'
  readonly variables: Env
}

/** The whole environment of a process: of two layers that have a variable the later one counts. */
export function environmentOf(layers: readonly EnvironmentLayer[]): Env {
  return Object.assign({}, ...layers.map(({ variables }) => variables))
}

/** Who gave a variable its value: the first of the layers from which on it is the same. Undefined when it is not set. */
export function originOf(name: string, layers: readonly EnvironmentLayer[]): EnvironmentLayer['from'] | undefined {
  let origin: EnvironmentLayer['from'] | undefined
  let value: string | undefined
  for (const { from, variables } of layers) {
    if (!(name in variables) || variables[name] === value) continue
    value = variables[name]
    origin = from
  }
  return value === undefined || value === '' ? undefined : origin
}
