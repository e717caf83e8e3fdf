import { createBackOff, DeadlineError, pause } from '@taproom/core/time'
import { DatabaseUnavailableError } from './errors.ts'
import { isAway } from './outage.ts'

export interface WhenReachedOptions {
  /** How long it is tried again, in milliseconds. */
  readonly forMs: number
  /** Called once, before the first wait, with what was wrong. */
  onWaiting(error: unknown): void
}

/**
 * Does something with a database, again and again while that cannot be reached: one that is started with it is not there yet, and where
 * network policies are enforced a new pod is let through only after a moment. `ask` may use a driver, `migrate`, or the `query` of a
 * `Database`, whose `DatabaseUnavailableError` counts by its cause: it does not wait when the server refuses the login.
 *
 * @throws what `ask` threw last, when it is something else, or `forMs` have passed
 *
 * @example
 * const waiting = { forMs: 60_000, onWaiting: (error: unknown) => log.warn({ err: error }, 'waiting for the database') }
 * const notes = await whenReached(() => database.query((knex) => knex('notes').count()), waiting)
 */
export async function whenReached<T>(ask: () => Promise<T>, { forMs, onWaiting }: WhenReachedOptions): Promise<T> {
  const deadline = performance.now() + forMs
  const backOff = createBackOff({ firstMs: 200, longestMs: 2000 })
  let isWaiting = false
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const waitMs = backOff.next()
      if (!isWorthWaiting(error) || performance.now() + waitMs > deadline) throw error
      if (!isWaiting) onWaiting(error)
      isWaiting = true
      await pause(waitMs)
    }
  }
}

/** A database that is being migrated is waited for as one that is away. */
function isWorthWaiting(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailableError)) return isAway(error)
  return isAway(error.cause) || error.cause instanceof DeadlineError
}
