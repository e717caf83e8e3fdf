import { type Profiler, Session } from 'node:inspector/promises'

/** Counts what a function does, where a clock would count what else the machine does, too. */
export interface StepCounter {
  /** How often functions were called, and branches and loops entered, while `run` ran: the same on every machine. Not counted is what V8 does by itself, such as in a regular expression. */
  count(run: () => unknown): Promise<number>
}

/**
 * Starts to count, with V8's own counters. Functions that ran before are counted by their calls alone, so a test file does this first.
 * Nothing else may run meanwhile in the same thread.
 */
export async function startStepCounter(): Promise<StepCounter> {
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
