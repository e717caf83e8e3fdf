import { vi } from 'vitest'
import type { Guard, GuardEvent } from '../src/index.ts'

export const failure = new Error('remote failed')

/** Never ends. */
export const hang = () => new Promise<never>(() => undefined)

/** Runs the call to its end under fake time, and returns how long it took and how it ended. */
export async function timed<T>(result: Promise<T>) {
  const startedAt = performance.now()
  const ended = result.then(
    (value) => ({ value, error: undefined, afterMs: performance.now() - startedAt }),
    (error: unknown) => ({ value: undefined, error, afterMs: performance.now() - startedAt }),
  )
  await vi.runAllTimersAsync()
  return ended
}

/** Fails `times` times, then succeeds. */
export function flaky(times: number) {
  let calls = 0
  return vi.fn(async () => {
    calls += 1
    if (calls <= times) throw failure
    return 'value'
  })
}

export function record(guard: Guard<unknown>, type: GuardEvent['type']) {
  const seen: GuardEvent[] = []
  guard.onEvent((event) => {
    if (event.type === type) seen.push(event)
  })
  return seen
}
