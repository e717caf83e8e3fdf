export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  readonly code = 'DEADLINE_EXCEEDED'
}

/**
 * The promise's outcome, or a DeadlineError after `ms`. The work itself is not stopped: its later outcome is ignored.
 * `what` completes the sentence "<what> took longer than <ms> ms".
 */
export function withDeadline<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineError(`${what} took longer than ${ms} ms`)), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * The promise's outcome, or undefined when it rejects or takes longer than `ms`. For clean-up, where an error changes nothing, and for work that
 * never rejects.
 */
export function atMost<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return withDeadline(promise, ms, 'clean-up').catch(() => undefined)
}
