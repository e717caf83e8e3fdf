import { reasonOf } from '@taproom/core/lines'
import { atMost } from '@taproom/core/time'
import type { LogOutput } from '../output/log-output.ts'
import { ownLine, type ServiceLine } from '../output/service-line.ts'
import type { ManagedProcess } from '../supervisor/managed-process.ts'
import { ServiceExitError } from '../supervisor/start-error.ts'

export interface ConsoleDeps {
  readonly logs: LogOutput
  /** Aborted when everything is to end at once. */
  readonly kill: AbortSignal
}

/** How long who asks for the page waits for it. */
const WAIT_MS = 15_000
const STOP_MS = 500

/** The console of a system: a process that the system does not depend on. */
export function startedConsole(process: ManagedProcess | undefined, { logs, kill }: ConsoleDeps) {
  kill.addEventListener('abort', () => process?.kill(), { once: true })
  return {
    /** Starts it, without anybody waiting: it is one program more only when the others run. */
    start: () => void process?.start().catch((error: unknown) => logs.write(failedLine(error))),
    /** Resolves when its page can be asked for; with false when it does not start, or not soon enough for who waits. */
    async started(): Promise<boolean> {
      if (process === undefined) return false
      const { state } = process.status
      if (state === 'ready') return true
      // Stopped by somebody, or not started yet.
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
