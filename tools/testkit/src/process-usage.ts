import { readdirSync, readFileSync } from 'node:fs'

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
