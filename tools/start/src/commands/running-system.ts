import { type Env, parseEnv } from '@taproom/service'
import { type Folders, readStateDir } from '../config.ts'
import type { RunningConsole } from '../console/chosen-console.ts'
import type { ControlAnswer, ShownStatus, SystemFacts } from '../control/control-answers.ts'
import { askControl, NotRunningError } from '../control/control-client.ts'
import { controlSocketPath } from '../state/state-folder.ts'

/** A system that `pnpm start` runs on this machine. */
export interface RunningProcesses extends SystemFacts {
  readonly processes: readonly ShownStatus[]
}

/**
 * The system that runs on the state folder which the variables name.
 *
 * @throws {NotRunningError} when there is none
 */
export async function runningSystem(env: Env, folders: Folders): Promise<RunningProcesses> {
  const stateDir = stateDirOf(env, folders)
  const facts = await askSystem(stateDir, 'GET', '/system')
  const list = await askSystem(stateDir, 'GET', '/services')
  if ('system' in facts && 'services' in list) return { ...facts.system, processes: list.services }
  throw new Error(`the system on ${stateDir} answers as no system of this version does`)
}

/**
 * The console of the system that runs on the state folder which the variables name.
 *
 * @throws {NotRunningError} when there is no system
 * @throws {Error} when it has no console
 */
export async function runningConsole(env: Env, folders: Folders): Promise<RunningConsole> {
  const { console } = await runningSystem(env, folders)
  if (console === undefined) throw new Error('the running system has no console: it is off or in production mode')
  return console
}

/** @throws {ConfigError} when the variable cannot be read */
export function stateDirOf(env: Env, folders: Folders): string {
  return parseEnv(env, (read) => readStateDir(read, folders))
}

/** Sends a request to the running system. @throws {NotRunningError} when there is none */
export async function askSystem(stateDir: string, method: 'GET' | 'POST', target: string): Promise<ControlAnswer> {
  try {
    return (await askControl(controlSocketPath(stateDir), method, target)).answer
  } catch (error) {
    if (!(error instanceof NotRunningError)) throw error
    throw new NotRunningError(
      `no system runs on ${stateDir}: start it with pnpm start, or set TAPROOM_STATE_DIR to the state folder of the one that runs`,
      { cause: error },
    )
  }
}
