import { createBackOff, pause } from '@taproom/time'

export interface WhenReachedOptions {
  /** How long it is tried again, in milliseconds. */
  readonly forMs: number
  /** Called once, before the first wait, with what was wrong. */
  onWaiting(error: unknown): void
}

/** Of the system, and of PostgreSQL while it starts or ends. */
const AWAY = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['57P01', '57P03'],
])
/** Of the drivers, which give no code. */
const AWAY_WORDS = /timeout|Connection terminated/i

/**
 * Does something with a database, again and again while that cannot be reached: one that is started with it is not there yet, and where
 * network policies are enforced a new pod is let through only after a moment.
 *
 * @throws what `ask` threw last, when it is something else, or `forMs` have passed
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
      if (!isAway(error) || performance.now() + waitMs > deadline) throw error
      if (!isWaiting) onWaiting(error)
      isWaiting = true
      await pause(waitMs)
    }
  }
}

function isAway(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return AWAY.has(String(code)) || (code === undefined && AWAY_WORDS.test(String(message)))
}
