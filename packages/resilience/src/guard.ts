import { type Event, type IPolicy, noop, wrap } from 'cockatiel'
import { type BulkheadOccupancy, type BulkheadOptions, createBulkhead } from './bulkhead.ts'
import type { Call, Clock } from './call.ts'
import { inCallSpan, noteInSpan } from './call-span.ts'
import { CircuitBreaker, type CircuitBreakerOptions } from './circuit-breaker.ts'
import { decide } from './error-matcher.ts'
import type { FallbackOptions } from './fallback.ts'
import type { GuardEvent } from './guard-event.ts'
import { createNotifier } from './notifier.ts'
import { createRateLimit, type RateLimitOptions } from './rate-limit.ts'
import { createRetry, type RetryOptions } from './retry.ts'
import { createTimeout, type TimeoutOptions } from './timeout.ts'

/** Policies that are left out, or undefined, are off. */
export interface GuardOptions<F = never> {
  /** Used in messages, such as `GET film`. */
  readonly name: string
  readonly retry?: RetryOptions | undefined
  /** Options of its own breaker, or a breaker shared with other guards of the same remote. */
  readonly circuitBreaker?: CircuitBreakerOptions | CircuitBreaker | undefined
  readonly rateLimit?: RateLimitOptions | undefined
  readonly timeout?: TimeoutOptions | undefined
  readonly bulkhead?: BulkheadOptions | undefined
  readonly fallback?: FallbackOptions<F> | undefined
  /** Default `performance.now`. */
  readonly now?: Clock
  /** For the jitter, from 0 to 1. Default `Math.random`. */
  readonly random?: () => number
}

const POLICY_NAMES = ['retry', 'circuitBreaker', 'rateLimit', 'timeout', 'bulkhead', 'fallback'] as const

export type PolicyName = (typeof POLICY_NAMES)[number]

/** Policies around calls to one remote operation. */
export interface Guard<F = never> {
  readonly name: string
  /** The policies that are on. */
  readonly policies: ReadonlySet<PolicyName>
  readonly circuitBreaker: CircuitBreaker | undefined
  readonly bulkhead: BulkheadOccupancy | undefined
  readonly onEvent: Event<GuardEvent>
  /**
   * Runs the function inside the policies. Rejects with the reason of `signal` as soon as that is aborted, else with what the
   * function threw last, or with one of this package's errors.
   */
  execute<T>(call: Call<T>, signal?: AbortSignal): Promise<T | F>
}

/**
 * Nests the policies in MicroProfile's order, whatever the order of the options:
 * Fallback(Retry(CircuitBreaker(RateLimit(Timeout(Bulkhead(call)))))). Each attempt of a retry is one result for the breaker.
 * @throws {InvalidOptionError} when an option is invalid, naming option, rule and value
 */
export function createGuard<F = never>(options: GuardOptions<F>): Guard<F> {
  const { name, fallback, now = () => performance.now(), random = Math.random } = options
  const events = createNotifier<GuardEvent>()
  const emit = (event: GuardEvent) => {
    noteInSpan(event)
    events.emit(event)
  }
  const deps = { name, now, random, emit }
  const breaker = options.circuitBreaker && toBreaker(options.circuitBreaker, name, now)
  if (breaker) reportBreaker(breaker, emit)
  const bulkhead = options.bulkhead && createBulkhead(options.bulkhead, deps)
  const isReplaced = decide(fallback?.applyOn, fallback?.skipOn)
  const policies: (IPolicy | undefined)[] = [
    options.retry && createRetry(options.retry, deps),
    breaker,
    options.rateLimit && createRateLimit(options.rateLimit, deps),
    options.timeout && createTimeout(options.timeout, deps),
    bulkhead?.policy,
  ]
  // `wrap` needs one policy at least.
  const guarded = wrap(noop, ...policies.filter((policy) => policy !== undefined))

  return {
    name,
    policies: new Set(POLICY_NAMES.filter((policy) => options[policy] !== undefined)),
    circuitBreaker: breaker,
    bulkhead: bulkhead?.occupancy,
    onEvent: events.on,
    execute(call, signal = new AbortController().signal) {
      if (signal.aborted) return Promise.reject(signal.reason)
      return inCallSpan(name, () => execute(call, signal))
    },
  }

  async function execute<T>(call: Call<T>, signal: AbortSignal): Promise<T | F> {
    const startedAt = now()
    let result: 'value-returned' | 'exception-thrown' = 'exception-thrown'
    let applied = false
    try {
      const value = await guarded.execute(call, signal)
      result = 'value-returned'
      return value
    } catch (error) {
      // A caller that gave up gets its abort reason, never the fallback.
      if (fallback === undefined || signal.aborted || !isReplaced(error)) throw error
      applied = true
      emit({ type: 'fallback', error })
      const value = await fallback.handler(error)
      result = 'value-returned'
      return value
    } finally {
      events.emit({
        type: 'invocation',
        result,
        fallback: fallback === undefined ? 'not-defined' : applied ? 'applied' : 'not-applied',
        durationMs: now() - startedAt,
      })
    }
  }
}

function toBreaker(options: CircuitBreakerOptions | CircuitBreaker, name: string, now: Clock): CircuitBreaker {
  return options instanceof CircuitBreaker ? options : new CircuitBreaker({ name, now, ...options })
}

function reportBreaker(breaker: CircuitBreaker, emit: (event: GuardEvent) => void): void {
  breaker.onStateChange((change) => emit({ type: 'circuit-breaker-state', ...change }))
  breaker.onSuccess(() => emit({ type: 'circuit-breaker-call', result: 'success' }))
  breaker.onFailure(() => emit({ type: 'circuit-breaker-call', result: 'failure' }))
  breaker.onReject(() => emit({ type: 'circuit-breaker-call', result: 'circuit-breaker-open' }))
}
