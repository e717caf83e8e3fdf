/** A wait took too long. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
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

/** Waits `ms` milliseconds at most. For clean-up: errors are ignored, because nothing can be done about them then. */
export async function atMost(promise: Promise<unknown>, ms: number): Promise<void> {
  await withDeadline(promise, ms, 'clean-up').catch(() => undefined)
}
