import type { CircuitState } from './circuit-breaker.ts'
import type { Guard } from './guard.ts'
import type { GuardEvent } from './guard-event.ts'

type Tags = Readonly<Record<string, string>>

/** Where metrics go; a few lines over any metrics library. */
export interface MetricSink {
  /** Adds to a counter. */
  add(name: string, tags: Tags, by: number): void
  /** Records one value of a histogram, in seconds. */
  observe(name: string, tags: Tags, seconds: number): void
  /** Sets a gauge. */
  set(name: string, tags: Tags, value: number): void
}

const RETRY_RESULTS = {
  'value-returned': 'valueReturned',
  'exception-not-retryable': 'exceptionNotRetryable',
  'max-retries-reached': 'maxRetriesReached',
  'max-duration-reached': 'maxDurationReached',
  // MicroProfile knows no caller that gives up; its nearest case is an interrupted thread.
  aborted: 'exceptionNotRetryable',
} as const

const INVOCATION_RESULTS = { 'value-returned': 'valueReturned', 'exception-thrown': 'exceptionThrown' } as const
const FALLBACKS = { applied: 'applied', 'not-applied': 'notApplied', 'not-defined': 'notDefined' } as const
const STATES: Readonly<Record<CircuitState, string>> = { closed: 'closed', open: 'open', 'half-open': 'halfOpen' }

/**
 * Reports what a guard does under the names and tags of MicroProfile Fault Tolerance 4.1 (`ft.invocations.total`,
 * `ft.retry.…`, `ft.timeout.…`, `ft.circuitbreaker.…`, `ft.bulkhead.…`, and SmallRye's `ft.ratelimit.…` and
 * `ft.circuitbreaker.state.current`). The tag `method` is the guard's name.
 */
export function reportMetrics(guard: Guard<unknown>, sink: MetricSink): void {
  const method = guard.name
  const count = (name: string, tags: Tags = {}) => sink.add(name, { method, ...tags }, 1)

  guard.onEvent((event) => {
    switch (event.type) {
      case 'invocation':
        count('ft.invocations.total', {
          result: INVOCATION_RESULTS[event.result],
          fallback: FALLBACKS[event.fallback],
        })
        break
      case 'retry':
        count('ft.retry.retries.total')
        break
      case 'retry-finished':
        count('ft.retry.calls.total', { retried: String(event.retried), retryResult: RETRY_RESULTS[event.result] })
        break
      case 'timeout':
        count('ft.timeout.calls.total', { timedOut: String(event.timedOut) })
        sink.observe('ft.timeout.executionDuration', { method }, event.durationMs / 1000)
        break
      case 'bulkhead-call':
        count('ft.bulkhead.calls.total', { bulkheadResult: event.result })
        break
      case 'rate-limit-call':
        count('ft.ratelimit.calls.total', { rateLimitResult: event.result })
        break
      default:
        countCircuit(event, count)
    }
  })
  if (guard.circuitBreaker !== undefined) reportCircuitState(guard.circuitBreaker, method, sink)
}

function countCircuit(event: GuardEvent, count: (name: string, tags?: Tags) => void): void {
  if (event.type === 'circuit-breaker-call') {
    const result = event.result === 'circuit-breaker-open' ? 'circuitBreakerOpen' : event.result
    count('ft.circuitbreaker.calls.total', { circuitBreakerResult: result })
  } else if (event.type === 'circuit-breaker-state' && event.from === 'closed' && event.to === 'open') {
    count('ft.circuitbreaker.opened.total')
  }
}

function reportCircuitState(breaker: NonNullable<Guard['circuitBreaker']>, method: string, sink: MetricSink): void {
  const show = (current: CircuitState) => {
    for (const [state, tag] of Object.entries(STATES)) {
      sink.set('ft.circuitbreaker.state.current', { method, state: tag }, state === current ? 1 : 0)
    }
  }
  let since = performance.now()
  show(breaker.state)
  breaker.onStateChange(({ from, to }) => {
    const now = performance.now()
    // MicroProfile measures the time spent in a state in nanoseconds.
    sink.add('ft.circuitbreaker.state.total', { method, state: STATES[from] }, Math.round((now - since) * 1e6))
    since = now
    show(to)
  })
}
