/** How a process ended. */
export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Why the process could not be started. */
  readonly problem?: Error
  /** Why it failed, by its lines on stderr: see {@link failureReason}. Undefined after exit code 0, and when it wrote none. */
  readonly reason?: string
}

/** As the end of a sentence that begins with the process: `exited with code 1`, `was ended by SIGKILL`, `could not be started (…)`. */
export function describeEnding({ code, signal, problem }: Ending): string {
  if (problem !== undefined) return `could not be started (${problem.message})`
  return signal === null ? `exited with code ${code}` : `was ended by ${signal}`
}

/** A process ended before it was ready or answered; the message has what it wrote to stderr. */
export class ProcessEndedError extends Error {
  override readonly name = 'ProcessEndedError'
  readonly code = 'PROCESS_ENDED'
  readonly ending: Ending

  constructor(name: string, ending: Ending, said: readonly string[] = []) {
    super([`${name} ${describeEnding(ending)}`, ...(said.length > 0 ? [said.join('\n')] : [])].join(': '))
    this.ending = ending
  }
}
