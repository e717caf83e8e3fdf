import type { CheckOutcome, HealthCheck, HealthData } from '@taproom/core/health'
import { reasonOf, rootCause } from '@taproom/core/lines'
import { atMost } from '@taproom/core/time'
import { shownText } from './shown-text.ts'

const DEFAULT_TIMEOUT_MS = 2000

/** Most facts shown of one check. */
const MAX_FACTS = 100

/** How long a check may take to return its data after its signal has aborted, in milliseconds. */
const LAST_WORD_MS = 50

/** Runs a check once. Always resolves, shortly after its limit at the latest: a check that throws or hangs is DOWN. */
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

/** The data of an aborted check, without its rootCause, which would only repeat the time-out. */
function known(outcome: CheckOutcome | undefined): HealthData {
  const { rootCause: _, ...data } = outcome?.data ?? {}
  return data
}

/** Makes a valid outcome of whatever a check returns; DOWN if it is not one. */
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
