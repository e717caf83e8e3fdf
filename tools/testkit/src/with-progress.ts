import { setTimeout as delay } from 'node:timers/promises'
import { type CpuTimes, readCpuTimes, secondsBetween } from './progress.ts'

/** The end of any wait, with progress or without. */
export const LONGEST_WAIT_MS = 600_000

/** Most waits are over by then: nothing is measured for them. */
const UNMEASURED_MS = 1000
/** How long no progress makes a wait fail. */
const WINDOW_MS = 90_000
/** Least processor time within a window that counts as progress. An idle system uses 2.5 % of a core, and polling about as much. */
const LEAST_SECONDS = 5

/** The clock and the processor times of the machine; tests have their own. */
export interface Machine {
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  cpuTimes(): CpuTimes | undefined
}

// Bound here, before a test file fakes the clock.
const clock = performance.now.bind(performance)

export const THIS_MACHINE: Machine = {
  now: clock,
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
  cpuTimes: readCpuTimes,
}

export interface ProgressOptions {
  /** A limit in place of the rule: for measurements that judge the time, and for work that other machines or containers do. */
  readonly timeoutMs?: number
  readonly machine?: Machine
}

/** What a wait that has to end says of its end, and what it failed with last. */
interface Wait {
  readonly what: () => string
  readonly cause?: () => unknown
}

/**
 * The promise's outcome, as long as there is progress: the wait fails after 90 s in which this test run, with all processes that it has
 * started, has used less than 5 s of processor time, and after 10 minutes in any case. Output, requests and work of a child all use it; a
 * busy machine only makes them late. Where the system does not tell the times, as on Windows, progress is assumed.
 *
 * @throws {Error} that names `what` and how long it was waited for
 */
export function withProgress<T>(promise: Promise<T>, what: string, options: ProgressOptions = {}): Promise<T> {
  return whileProgress(() => promise, { what: () => what }, options)
}

/** As {@link withProgress}, for work that ends itself when the wait fails. */
export async function whileProgress<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { what, cause }: Wait,
  { timeoutMs, machine = THIS_MACHINE }: ProgressOptions,
): Promise<T> {
  const stop = new AbortController()
  const { signal } = stop
  const expiry = timeoutMs === undefined ? standstill(machine, signal) : limit(timeoutMs, machine, signal)
  // A stopped sleep rejects.
  const ended = expiry.catch(() => 'stopped')
  try {
    const first = await Promise.race([work(signal).then((value) => ({ value })), ended])
    if (typeof first !== 'string') return first.value
    // Thrown here and not in `expiry`, so that the stack has the line of the test.
    throw new Error(`${first}: ${what()}`, { cause: cause?.() })
  } finally {
    stop.abort()
  }
}

/** Resolves with the reason when there was no progress. */
async function standstill(machine: Machine, signal: AbortSignal): Promise<string> {
  const startedAt = machine.now()
  const elapsedMs = () => machine.now() - startedAt
  await machine.sleep(UNMEASURED_MS, signal)
  while (elapsedMs() < LONGEST_WAIT_MS) {
    const before = machine.cpuTimes()
    await machine.sleep(Math.min(WINDOW_MS, LONGEST_WAIT_MS - elapsedMs()), signal)
    const after = machine.cpuTimes()
    if (elapsedMs() >= LONGEST_WAIT_MS) break
    if (before === undefined || after === undefined || secondsBetween(before, after) >= LEAST_SECONDS) continue
    return `no progress for ${WINDOW_MS / 1000} s, after ${Math.round(elapsedMs() / 1000)} s in all`
  }
  return `not within ${LONGEST_WAIT_MS / 1000} s`
}

async function limit(ms: number, machine: Machine, signal: AbortSignal): Promise<string> {
  await machine.sleep(ms, signal)
  return `not within ${ms} ms`
}
