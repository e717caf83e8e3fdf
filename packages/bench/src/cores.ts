import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
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

/** Seconds of CPU that all threads of a process have used, to the nanosecond; undefined where Linux' scheduler does not tell. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const times = threads.map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    return times.reduce((sum, time) => sum + time, 0) / 1e9
  } catch {
    return undefined
  }
}
