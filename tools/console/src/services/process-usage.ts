import { readFile } from 'node:fs/promises'
import { run } from '@taproom/processes'

/** CPU time and memory of a process. */
export interface ProcessUsage {
  readonly pid: number
  /** CPU time since it was started. */
  readonly cpuMs: number
  readonly memoryBytes: number
  /** The command line. */
  readonly command: string
  /** The process that started it. */
  readonly parent: number
}

/**
 * Current usage of these processes and of the children of `parent`; ended processes are left out. Read from Linux' /proc, elsewhere
 * by `ps`. Empty where there is neither.
 */
export async function readUsage(
  pids: readonly number[],
  parent: number | undefined,
  platform: NodeJS.Platform = process.platform,
): Promise<readonly ProcessUsage[]> {
  if (platform === 'win32') return []
  if (platform !== 'linux') return (await usageByPs()).filter((one) => pids.includes(one.pid) || one.parent === parent)
  const children = parent === undefined ? [] : await childrenOf(parent)
  const found = await Promise.all([...new Set([...pids, ...children])].map(usageByProc))
  return found.filter((usage) => usage !== undefined)
}

/** A clock tick in Linux' /proc is a hundredth of a second on every machine. */
const TICK_MS = 10
/** Fields of /proc/PID/stat after the name, which may have spaces. */
const [PARENT, USER_TIME, SYSTEM_TIME] = [1, 11, 12]

async function usageByProc(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const [stat, status, command] = await Promise.all(
      ['stat', 'status', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')),
    )
    const fields = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ')
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status ?? '') ?? []
    return {
      pid,
      cpuMs: (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * TICK_MS,
      memoryBytes: Number(kibibytes ?? 0) * 1024,
      command: (command ?? '').replaceAll('\0', ' ').trim(),
      parent: Number(fields[PARENT]),
    }
  } catch {
    // It has ended.
    return undefined
  }
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.split(' ').filter(Boolean).map(Number)
}

const PS_MS = 3000

/** All processes of this machine. */
async function usageByPs(): Promise<readonly ProcessUsage[]> {
  const args = ['-A', '-ww', '-o', 'pid=,ppid=,rss=,time=,args=']
  const { stdout } = await run('ps', args, { timeout: PS_MS }).catch(() => ({ stdout: '' }))
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, rss, time = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (pid === undefined) return []
    const usage = { pid: Number(pid), parent: Number(parent), memoryBytes: Number(rss) * 1024 }
    return [{ ...usage, cpuMs: psTimeMs(time), command }]
  })
}

/** `[[DD-]HH:]MM:SS[.cc]` */
function psTimeMs(text: string): number {
  const [days, time] = text.includes('-') ? text.split('-') : ['0', text]
  const seconds = (time ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return (Number(days) * 86_400 + seconds) * 1000
}
