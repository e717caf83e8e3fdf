import { setTimeout as delay } from 'node:timers/promises'

export interface WaitOptions {
  /** Default 90 000, long enough for busy machines. */
  readonly timeoutMs?: number
  /** Default 20. */
  readonly intervalMs?: number
}

/**
 * Waits until `condition` returns something other than `undefined`, `null` or `false`, and returns that.
 *
 * @throws {Error} when it does not in time, naming `what`, with the condition's last error as cause
 */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  { timeoutMs = 90_000, intervalMs = 20 }: WaitOptions = {},
): Promise<Exclude<T, undefined | null | false>> {
  const deadline = performance.now() + timeoutMs
  let cause: unknown
  do {
    try {
      const value = await condition()
      if (value !== undefined && value !== null && value !== false) return value as Exclude<T, undefined | null | false>
      cause = undefined
    } catch (error) {
      cause = error
    }
    await delay(intervalMs)
  } while (performance.now() < deadline)
  throw new Error(`not within ${timeoutMs} ms: ${what}`, { cause })
}
