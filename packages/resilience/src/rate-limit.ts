import { RateLimitError } from './errors.ts'
import { GuardPolicy, type PolicyDeps } from './guard-policy.ts'
import { optionRules } from './option-rules.ts'

/** Names and defaults are SmallRye Fault Tolerance's. */
export interface RateLimitOptions {
  /** Calls per window. Default 100. */
  readonly value?: number
  /** Length of the window, in milliseconds. Default 1000. */
  readonly windowMs?: number
  /** Least time between two calls, in milliseconds; 0 = none. Default 0. */
  readonly minSpacingMs?: number
  /**
   * `fixed`: consecutive windows; `rolling`: never more than `value` calls in any period of `windowMs`; `smooth`: permits are
   * added evenly over time. In the first two a refused call counts too. Default `fixed`.
   */
  readonly type?: 'fixed' | 'rolling' | 'smooth'
}

/** Records a call and returns how long it would have to wait; 0 = permitted. */
type TimeWindow = (now: number) => number

export function createRateLimit(options: RateLimitOptions, { name, now, emit }: PolicyDeps): GuardPolicy {
  const rules = optionRules(name)
  const value = rules.integer('rateLimit.value', options.value ?? 100, 1)
  const windowMs = rules.duration('rateLimit.windowMs', options.windowMs ?? 1000)
  rules.rule('rateLimit.windowMs', windowMs, windowMs > 0, 'more than 0 ms')
  const minSpacingMs = rules.duration('rateLimit.minSpacingMs', options.minSpacingMs ?? 0)
  const type = options.type ?? 'fixed'
  rules.rule('rateLimit.type', type, type in WINDOWS, 'fixed, rolling or smooth')
  const record = WINDOWS[type](value, windowMs, now())
  let last = Number.NEGATIVE_INFINITY

  return new GuardPolicy(async (call, signal) => {
    const at = now()
    const waitMs = Math.max(record(at), last + minSpacingMs - at)
    last = at
    if (waitMs > 0) {
      emit({ type: 'rate-limit-call', result: 'rejected' })
      throw new RateLimitError(name, waitMs)
    }
    emit({ type: 'rate-limit-call', result: 'permitted' })
    return call({ signal })
  })
}

const WINDOWS = { fixed: fixedWindow, rolling: rollingWindow, smooth: smoothWindow }

function fixedWindow(value: number, windowMs: number, startedAt: number): TimeWindow {
  let begin = startedAt
  let calls = 0
  return (now) => {
    if (now - begin >= windowMs) {
      begin += Math.floor((now - begin) / windowMs) * windowMs
      calls = 0
    }
    calls += 1
    return calls <= value ? 0 : begin + windowMs - now
  }
}

function rollingWindow(value: number, windowMs: number): TimeWindow {
  const times: number[] = []
  let next = 0
  return (now) => {
    // The next slot of the ring holds the call `value` calls ago, which must be outside the window.
    const permitted = (times[next] ?? Number.NEGATIVE_INFINITY) + windowMs <= now
    times[next] = now
    next = (next + 1) % value
    return permitted ? 0 : (times[next] ?? now) + windowMs - now
  }
}

/** Starts with one permit, so that a burst right after the start is smoothed as well. */
function smoothWindow(value: number, windowMs: number, startedAt: number): TimeWindow {
  const perMs = value / windowMs
  let permits = 1
  let refilledAt = startedAt
  return (now) => {
    permits = Math.min(value, permits + (now - refilledAt) * perMs)
    refilledAt = now
    if (permits < 1) return (1 - permits) / perMs
    permits -= 1
    return 0
  }
}
