import { cpuSeconds } from '@taproom/testkit'

/** Starts a stopwatch: seconds of CPU that the processes have used since, or of the clock where CPU time is not known. */
export function startStopwatch(...pids: readonly number[]): () => number {
  const [startedAt, before] = [performance.now(), cpuOf(pids)]
  return () => {
    const used = cpuOf(pids) - before
    return Number.isNaN(used) ? (performance.now() - startedAt) / 1000 : used
  }
}

function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (cpuSeconds(pid) ?? Number.NaN), 0)
}
