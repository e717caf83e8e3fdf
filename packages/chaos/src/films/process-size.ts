import { readdir, readFile, readlink } from 'node:fs/promises'
import { readMetric } from '@taproom/testkit'

/** How much a process holds. */
export interface ProcessSize {
  readonly residentMiB: number
  /** Of the heap, what is in use. */
  readonly heapMiB: number
  readonly sockets: number
  /** Open files, sockets among them. */
  readonly handles: number
}

/** Looks at a service by Linux' `/proc` and its `/q/metrics`. */
export async function processSize(pid: number, url: string): Promise<ProcessSize> {
  const [status, descriptors, heapBytes] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    openDescriptors(pid),
    readMetric(url, 'nodejs_heap_size_used_bytes'),
  ])
  return {
    residentMiB: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024,
    heapMiB: (heapBytes ?? Number.NaN) / 1024 / 1024,
    sockets: descriptors.filter((target) => target.startsWith('socket:')).length,
    handles: descriptors.length,
  }
}

/** As {@link processSize}, after a collection: of a service that has `collect-on-signal-main.ts` in it. */
export async function collectedSize(pid: number, url: string): Promise<ProcessSize> {
  process.kill(pid, 'SIGUSR2')
  // The signal waits for its turn in the event loop, and so does this request, behind it.
  await readMetric(url, 'process_start_time_seconds')
  return await processSize(pid, url)
}

/** What the open descriptors lead to; one that was closed meanwhile is left out. */
async function openDescriptors(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  const targets = await Promise.all((await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => '')))
  return targets.filter((target) => target !== '')
}
