import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** The cores of the measured server and of the load generator. */
export const SERVER_CORE = 0
export const LOAD_CORE = 1

/** A command that runs Node on one core where there are two cores and `taskset`; plain Node elsewhere. */
export function nodeOnCore(core: number): readonly string[] {
  return onCore(core, process.execPath)
}

/** The same for any command. */
export function onCore(core: number, ...command: readonly string[]): readonly string[] {
  const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0
  return canPin ? ['taskset', '-c', String(core), ...command] : command
}
