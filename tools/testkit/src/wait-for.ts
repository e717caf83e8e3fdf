import { type ProgressOptions, THIS_MACHINE, whileProgress } from './with-progress.ts'

export interface WaitOptions extends ProgressOptions {
  /** The time between two calls at first. Default 20. It grows with the wait, to 250 at most, so that calls are no progress themselves. */
  readonly intervalMs?: number
}

const LONGEST_INTERVAL_MS = 250
/** A wait that ends is noticed late by this part of its length. */
const PART_OF_WAIT = 0.01

/**
 * Waits until `condition` returns something other than `undefined`, `null` or `false`, and returns that. An error of it is no end.
 *
 * @throws {Error} when there is no more progress, as `withProgress`, with the condition's last error as cause
 */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  options: WaitOptions = {},
): Promise<Exclude<T, undefined | null | false>> {
  const isThere = (value: T) => value !== undefined && value !== null && value !== false
  return (await repeat(condition, isThere, () => what, options)) as Exclude<T, undefined | null | false>
}

/**
 * Waits until `assertion` does not throw, and returns what it returns: `await eventually(() => expect(seen).toEqual(['a']))`.
 *
 * @throws {Error} when there is no more progress, as `withProgress`, with the last error's message and that error as cause
 */
export async function eventually<T>(assertion: () => T | Promise<T>, options: WaitOptions = {}): Promise<T> {
  const holds = () => true
  const whatIsWrong = (error: unknown) => (error instanceof Error ? error.message : 'the assertion never ended')
  return await repeat(assertion, holds, whatIsWrong, options)
}

async function repeat<T>(
  attempt: () => T | Promise<T>,
  isDone: (value: T) => boolean,
  what: (lastError: unknown) => string,
  { intervalMs = 20, ...options }: WaitOptions,
): Promise<T> {
  const { now, sleep } = options.machine ?? THIS_MACHINE
  const startedAt = now()
  let lastError: unknown
  const work = async (signal: AbortSignal) => {
    for (;;) {
      try {
        const value = await attempt()
        if (isDone(value)) return value
        lastError = undefined
      } catch (error) {
        lastError = error
      }
      const grown = Math.min(LONGEST_INTERVAL_MS, (now() - startedAt) * PART_OF_WAIT)
      await sleep(Math.max(intervalMs, grown), signal)
    }
  }
  return await whileProgress(work, { what: () => what(lastError), cause: () => lastError }, options)
}
