import { type Profiler, Session } from 'node:inspector/promises'
import { getCompileCacheDir } from 'node:module'

/** Counts steps of a function, where a clock would also count other work of the machine. */
export interface StepCounter {
  /**
   * Calls of functions, branches and loops while `run` runs: the same on every machine. V8's own work, such as regular expressions, does
   * not count.
   */
  count(run: () => unknown): Promise<number>
}

/**
 * Starts V8's counters. Functions that were compiled before are counted by their calls alone, so this is for files called
 * `…-steps.test.ts`, which get a process of their own, and which start it first. Nothing else may run in this thread meanwhile.
 *
 * @throws {Error} when Node has what it compiled in earlier processes
 */
export async function startStepCounter(): Promise<StepCounter> {
  if (getCompileCacheDir() !== undefined) throw new Error('steps are counted in files called …-steps.test.ts')
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return {
    async count(run) {
      await session.post('Profiler.takePreciseCoverage')
      await run()
      const { result } = await session.post('Profiler.takePreciseCoverage')
      return result.flatMap(({ functions }) => functions).reduce((sum, { ranges }) => sum + stepsOf(ranges), 0)
    },
  }
}

function stepsOf(ranges: readonly Profiler.CoverageRange[]): number {
  return ranges.reduce((sum, { count }) => sum + count, 0)
}
