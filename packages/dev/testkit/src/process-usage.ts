import { readdirSync, readFileSync } from 'node:fs'

/** Of the times in /proc/PID/stat. */
const TICKS_A_SECOND = 100

/** Resident memory of a process in bytes, from Linux' /proc. */
export function residentBytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}

/** CPU seconds that all threads of a process have used, to the nanosecond; undefined where Linux' scheduler does not give them. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e9
  } catch {
    return undefined
  }
}

/**
 * CPU seconds of this process, of all that it started and of those among them that have ended; undefined where there is no /proc. A process
 * whose parent ended before it is not counted.
 */
export function cpuSecondsOfTree(): number | undefined {
  const parents = new Map<number, { readonly parent: number; readonly ticks: number }>()
  try {
    for (const name of readdirSync('/proc')) {
      const stat = /^\d+$/.test(name) ? readStat(name) : undefined
      if (stat !== undefined) parents.set(Number(name), stat)
    }
  } catch {
    return undefined
  }
  const isBelow = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined; at = parents.get(at)?.parent)
      if (at === process.pid) return true
    return false
  }
  const ticks = [...parents].filter(([pid]) => isBelow(pid)).map(([, stat]) => stat.ticks)
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_A_SECOND
}

/** Its parent, and the processor time of itself and of its children that have ended; undefined when it has ended meanwhile. */
function readStat(pid: string): { readonly parent: number; readonly ticks: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses can have any character.
    const [, parent, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(parent), ticks: fields.slice(9, 13).reduce((sum, field) => sum + Number(field), 0) }
  } catch {
    return undefined
  }
}
