import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** The core of what is measured, and the one of whatever loads it. */
export const SERVER_CORE = 0
export const LOAD_CORE = 1

/** A command that runs Node on one core, where `taskset` can do that and there are two cores; plain Node elsewhere. */
export function nodeOnCore(core: number): readonly string[] {
  const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0
  return canPin ? ['taskset', '-c', String(core), process.execPath] : [process.execPath]
}
