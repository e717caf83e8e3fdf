import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** The core of what is measured, and the one of whatever loads it. */
export const SERVER_CORE = 0
export const LOAD_CORE = 1

/** A command that runs Node wherever there is room. */
export function nodeOnAnyCore(args: readonly string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [...process.execArgv, ...args] }
}

/** A command that runs Node on one core, where `taskset` can do that and there are two cores; plain Node elsewhere. */
export function nodeOnCore(core: number, args: readonly string[]): { command: string; args: string[] } {
  const { args: node } = nodeOnAnyCore(args)
  const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0
  if (!canPin) return { command: process.execPath, args: node }
  return { command: 'taskset', args: ['-c', String(core), process.execPath, ...node] }
}
