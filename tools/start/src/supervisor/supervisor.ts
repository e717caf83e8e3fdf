import { atMost, DeadlineError, withDeadline } from '@taproom/core/time'
import type { ManagedProcess } from './managed-process.ts'
import { ServiceExitError, StartError } from './start-error.ts'

/** A process and the names of those that must be ready before it is started. */
export interface SupervisedProcess {
  readonly process: ManagedProcess
  readonly needs: readonly string[]
}

export interface SupervisorOptions {
  /** Each after the processes that it needs. */
  readonly processes: readonly SupervisedProcess[]
  /** How long the others may still start once one has failed, so that all problems are reported at once. Default 15 000 ms. */
  readonly settleMs?: number
  /** How long a process may take to be ready. Default 60 000 ms. */
  readonly readyMs?: number
}

/** Starts processes in the order of their needs and stops them in the reverse order. */
export function createSupervisor({ processes, settleMs = 15_000, readyMs = 60_000 }: SupervisorOptions) {
  let isStopping = false
  return {
    /**
     * Starts all processes; resolves when all are ready.
     *
     * @throws {StartError} when any of them ends before it is ready, with the problems of all that failed
     */
    async start(): Promise<void> {
      const failures: ServiceExitError[] = []
      const failed = Promise.withResolvers<void>()
      const launches = new Map<string, Promise<void>>()
      for (const { process, needs } of processes) {
        const launch = Promise.all(needs.map((need) => launches.get(need)))
          .then(() => (isStopping ? undefined : within(readyMs, process)))
          .catch((error: unknown) => {
            if (!(error instanceof ServiceExitError)) throw error
            failures.push(error)
            failed.resolve()
          })
        launches.set(process.name, launch)
      }
      const all = Promise.all(launches.values())
      await Promise.race([all, failed.promise])
      if (failures.length === 0) return
      await atMost(all, settleMs)
      throw new StartError(failures)
    },
    /** Stops what needs others first; whatever is left after `graceMs` is killed. */
    async stop(graceMs: number): Promise<void> {
      isStopping = true
      const deadline = performance.now() + graceMs
      for (const wave of stopWaves(processes)) {
        // Each wave leaves time for the later ones, however long its processes take.
        const left = Math.max(0, (deadline - performance.now()) * 0.75)
        await Promise.all(wave.map((process) => process.stop(left)))
      }
    },
    kill(): void {
      isStopping = true
      for (const { process } of processes) process.kill()
    },
  }
}

async function within(readyMs: number, process: ManagedProcess): Promise<void> {
  try {
    await withDeadline(process.start(), readyMs, 'the start')
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error
    throw new ServiceExitError(process.name, `was not ready within ${readyMs} ms: given up`, [])
  }
}

/** First the processes that no other needs, then those that only the stopped ones needed, and so on. */
function stopWaves(processes: readonly SupervisedProcess[]): ManagedProcess[][] {
  const waves: ManagedProcess[][] = []
  let left = [...processes]
  while (left.length > 0) {
    const needed = new Set(left.flatMap(({ needs }) => needs))
    const wave = left.filter(({ process }) => !needed.has(process.name))
    // A circle of needs is stopped together.
    const stopping = wave.length > 0 ? wave : left
    waves.push(stopping.map(({ process }) => process))
    left = left.filter((entry) => !stopping.includes(entry))
  }
  return waves
}
