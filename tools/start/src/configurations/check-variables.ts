import type { Env } from '@taproom/service'
import { environmentOf } from '../services/environment.ts'
import type { ServiceDescription } from '../services/services.ts'
import { readModules } from './read-modules.ts'

/** A service whose configuration can be read before it runs. */
export type CheckedService = Pick<ServiceDescription, 'name' | 'config' | 'port' | 'layers'>

export interface CheckedVariables {
  /** Services with wrong variables, and what is wrong, one sentence for each. */
  readonly failures: readonly { readonly service: string; readonly problems: readonly string[] }[]
  /** All variables that services read. */
  readonly names: readonly string[]
}

/**
 * Reads the configurations of all services at once, in one process, before any runs: nothing listens on the ports of stand-ins yet.
 *
 * @throws {Error} when a configuration cannot be loaded
 */
export async function checkVariables(
  services: readonly CheckedService[],
  place: { readonly cwd: string; readonly env: Env },
): Promise<CheckedVariables> {
  const readable = services.flatMap(({ name, config, port, layers }) =>
    config === undefined ? [] : [{ name, url: config, env: environmentOf(layers(port, () => undefined)) }],
  )
  const read = await readModules(readable, place)
  const failures = readable.map(({ name }, index) => ({ service: name, problems: read[index]?.problems ?? [] }))
  return {
    failures: failures.filter(({ problems }) => problems.length > 0),
    names: [...new Set(read.flatMap(({ reads }) => reads.map(({ name }) => name)))],
  }
}
