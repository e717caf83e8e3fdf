import { cpuSeconds } from '@taproom/testkit'

/** Starts to time processes; what it gives tells the seconds of CPU that they have used since, or those of the clock where CPU is not told. */
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
