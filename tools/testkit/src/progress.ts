import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Seconds of processor time by process id. */
export type CpuTimes = ReadonlyMap<number, number>

/** A process, its parent, and the seconds that it has used; on Linux with those of its children that have ended. */
export interface ProcessUsage {
  readonly pid: number
  readonly parent: number
  readonly seconds: number
}

/** Linux counts in ticks of 10 ms for programs, whatever the kernel's own are. */
const TICKS_PER_SECOND = 100

/** The processor time of this test run so far; undefined where the system does not tell. */
export function readCpuTimes(): CpuTimes | undefined {
  // A worker of Vitest is a child with a channel, and what a global setup starts is a child of its parent, or that parent itself.
  const root = process.connected ? process.ppid : process.pid
  try {
    const all =
      process.platform === 'linux' ? readProc() : parsePs(execFileSync('ps', ['-A', '-o', 'pid=,ppid=,time=']))
    return timesOfTree(all, root)
  } catch {
    return undefined
  }
}

/** Processor seconds between two readings. A child that has ended counts with all its time: an end is progress, too. */
export function secondsBetween(before: CpuTimes, after: CpuTimes): number {
  return [...after].reduce((sum, [pid, seconds]) => sum + Math.max(0, seconds - (before.get(pid) ?? 0)), 0)
}

/** The times of a process and of all its descendants. */
export function timesOfTree(all: readonly ProcessUsage[], root: number): CpuTimes {
  const children = Map.groupBy(all, ({ parent }) => parent)
  const tree = all.filter(({ pid }) => pid === root)
  // The array grows while it is walked.
  for (const { pid } of tree) tree.push(...(children.get(pid) ?? []))
  return new Map(tree.map(({ pid, seconds }) => [pid, seconds]))
}

function readProc(): ProcessUsage[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))]
      } catch {
        return [] // It has ended meanwhile.
      }
    })
}

/** Parses `/proc/<pid>/stat`, see proc_pid_stat(5). The name of the program, in parentheses, may have spaces and parentheses. */
export function parseStat(text: string): ProcessUsage {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [parent, ...ticks] = [1, 11, 12, 13, 14].map((index) => Number(fields[index]))
  return {
    pid: Number.parseInt(text, 10),
    parent: Number(parent),
    seconds: ticks.reduce((sum, count) => sum + count, 0) / TICKS_PER_SECOND,
  }
}

/** Parses the output of `ps -o pid=,ppid=,time=`, with times such as `1:02.34` or `1-02:03:04`. */
export function parsePs(output: Buffer | string): ProcessUsage[] {
  const lines = String(output).trim().split('\n')
  return lines.map((line) => {
    const [pid, parent, time = ''] = line.trim().split(/\s+/)
    const [days = '0', clock = ''] = time.includes('-') ? time.split('-') : ['0', time]
    const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part.replace(',', '.')), 0)
    return { pid: Number(pid), parent: Number(parent), seconds: Number(days) * 86_400 + seconds }
  })
}
