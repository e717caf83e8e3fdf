import { readdir, readlink } from 'node:fs/promises'
import { residentBytes, type TestProcess, waitFor } from '@taproom/testkit'

export interface ProcessSize {
  readonly residentMiB: number
  readonly sockets: number
  /** Open files, sockets among them. */
  readonly handles: number
}

const MIB = 1024 * 1024

/** Reads them from Linux' `/proc`. */
export async function processSize({ pid = 0 }: Pick<TestProcess, 'pid'>): Promise<ProcessSize> {
  const descriptors = await openDescriptors(pid)
  return {
    residentMiB: residentBytes(pid) / MIB,
    sockets: descriptors.filter((target) => target.startsWith('socket:')).length,
    handles: descriptors.length,
  }
}

/** The heap in MiB of a service with `collect-on-signal-main.ts` in it. */
export async function heldHeap({ pid, lines }: Pick<TestProcess, 'pid' | 'lines'>): Promise<number> {
  const collections = () => lines.filter((line): line is Collected => line.msg === 'collected')
  const before = collections().length
  process.kill(pid ?? Number.NaN, 'SIGUSR2')
  const { heapBytes } = await waitFor('a collection', () => collections()[before], { timeoutMs: 30_000 })
  return heapBytes / MIB
}

interface Collected {
  readonly msg: string
  readonly heapBytes: number
}

/** Targets of the open descriptors, without those closed meanwhile. */
async function openDescriptors(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  const targets = await Promise.all((await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => '')))
  return targets.filter((target) => target !== '')
}
