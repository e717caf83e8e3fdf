import { freePort, isFreePort } from '@taproom/processes'
import { ConfigError } from '@taproom/service'
import type { StartConfig } from '../config.ts'

/** Where debuggers look first. */
const USUAL_PORT = 9229

/**
 * A port for the debugger of each service named by `--inspect`: 9229 if it is free, else any.
 *
 * @throws {ConfigError} when there is no such service, or in production mode: a client of such a port can run any code
 */
export async function chooseInspectPorts(
  names: readonly string[],
  { mode, ports }: Pick<StartConfig, 'mode' | 'ports'>,
): Promise<Readonly<Record<string, number>>> {
  if (names.length === 0) return {}
  if (mode === 'production') throw new ConfigError(['--inspect is not there in production mode: unset NODE_ENV'])
  const unknown = names.filter((name) => !Object.hasOwn(ports, name))
  if (unknown.length > 0) {
    const known = Object.keys(ports).join(', ')
    throw new ConfigError([`--inspect ${unknown.join(', ')}: there is no such service; expected one of ${known}`])
  }
  const chosen: Record<string, number> = {}
  for (const name of new Set(names)) chosen[name] = await choosePort(Object.values(chosen))
  return chosen
}

async function choosePort(taken: readonly number[]): Promise<number> {
  return !taken.includes(USUAL_PORT) && (await isFreePort(USUAL_PORT)) ? USUAL_PORT : await freePort()
}
