import { reasonOf, type ServiceLine } from '@taproom/core/lines'
import { atMost } from '@taproom/core/time'
import type { LogOutput } from '../output/log-output.ts'
import { ownLine } from '../output/service-line.ts'
import type { ManagedProcess } from '../supervisor/managed-process.ts'
import { ServiceExitError } from '../supervisor/start-error.ts'

export interface ConsoleDeps {
  readonly logs: LogOutput
  /** Aborted when everything is to end at once. */
  readonly kill: AbortSignal
}

/** How long a request for the page waits for the console. */
const WAIT_MS = 15_000
const STOP_MS = 500

/** The console of a system: a process that the system does not depend on. */
export function startedConsole(process: ManagedProcess | undefined, { logs, kill }: ConsoleDeps) {
  kill.addEventListener('abort', () => process?.kill(), { once: true })
  return {
    /** Starts the process and does not wait for it: the console is started once the other services run. */
    start: () => void process?.start().catch((error: unknown) => logs.write(failedLine(error))),
    /** Resolves with true when the page is served; with false when the console does not start within 15 s, or is stopped. */
    async started(): Promise<boolean> {
      if (process === undefined) return false
      const { state } = process.status
      if (state === 'ready') return true
      // Stopped by `pnpm service`, or not started yet.
      if (state === 'stopped' || state === 'stopping') return false
      const isUp = process.start().then(
        () => true,
        () => false,
      )
      return (await atMost(isUp, WAIT_MS)) ?? false
    },
    [Symbol.asyncDispose]: async () => await process?.stop(STOP_MS),
  }
}

function failedLine(error: unknown): ServiceLine {
  const problems = error instanceof ServiceExitError ? error.problems : [reasonOf(error)]
  return ownLine('console', 'warn', 'there is no console: it could not be started', { problems })
}
