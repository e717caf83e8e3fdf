import { reasonOf, rootCause } from '@taproom/lines'
import { atMost } from '@taproom/time'
import type { CheckOutcome, HealthCheck, HealthData } from './check.ts'
import { shownText } from './shown-text.ts'

/** The limit of a check that names none, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 2000

/** Facts of one check that are shown. */
const MAX_FACTS = 100

/** How long a check that was told to stop may still hand in what it knows, in milliseconds. */
const LAST_WORD_MS = 50

/** Runs a check once. Always resolves, within its limit plus a moment: a check that throws or hangs is DOWN. */
export async function runCheck(check: HealthCheck): Promise<CheckOutcome> {
  const timeoutMs = check.timeoutMs ?? DEFAULT_TIMEOUT_MS
  const abort = new AbortController()
  const outcome = attempt(check, abort.signal)
  const inTime = await atMost(outcome, timeoutMs)
  if (inTime !== undefined) return inTime

  const error = `no result within ${timeoutMs} ms`
  abort.abort(new DOMException(error, 'TimeoutError'))
  const lastWord = await atMost(outcome, LAST_WORD_MS)
  return { status: 'DOWN', data: { ...known(lastWord), error } }
}

async function attempt(check: HealthCheck, signal: AbortSignal): Promise<CheckOutcome> {
  try {
    return normalise(await check.check(signal))
  } catch (error) {
    return { status: 'DOWN', data: { rootCause: shownText(reasonOf(rootCause(error))) } }
  }
}

/** What a stopped check told of itself; its rootCause would only repeat the time-out. */
function known(outcome: CheckOutcome | undefined): HealthData {
  const { rootCause: _, ...data } = outcome?.data ?? {}
  return data
}

/** Checks come from anywhere: whatever they return becomes a valid outcome, in doubt DOWN. */
function normalise(outcome: CheckOutcome): CheckOutcome {
  if (outcome?.status !== 'UP' && outcome?.status !== 'DOWN') {
    return { status: 'DOWN', data: { error: 'the check returned neither UP nor DOWN' } }
  }
  if (outcome.data === undefined || outcome.data === null) return { status: outcome.status }
  const facts = Object.entries(outcome.data).slice(0, MAX_FACTS)
  const entries = facts.map(([key, value]) => [shownText(key), printable(value)] as const)
  return { status: outcome.status, data: Object.fromEntries(entries) }
}

function printable(value: unknown): string | number | boolean {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value
  return shownText(reasonOf(value))
}
