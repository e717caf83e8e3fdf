import type { Guard, PolicyName } from './guard.ts'
import type { GuardEvent } from './guard-event.ts'
import type { MetricSink, Tags } from './metric-sink.ts'
import { camelCase, watchState } from './state-metrics.ts'

const INVOCATION = ['value-returned', 'exception-thrown'] as const
const FALLBACK = ['not-defined', 'applied', 'not-applied'] as const
const RETRY = ['value-returned', 'exception-not-retryable', 'max-retries-reached', 'max-duration-reached'] as const
const BREAKER = ['success', 'failure', 'circuit-breaker-open'] as const
const BULKHEAD = ['accepted', 'rejected'] as const
const RATE_LIMIT = ['permitted', 'rejected'] as const
const YES_NO = ['false', 'true'] as const

type Count = readonly [name: string, tags: Tags]

/**
 * The counters of a guard, by what its events say. They are made once, and their tags are frozen: every call counts several, and a sink can
 * know the series by the tags themselves.
 */
function countersOf(method: string) {
  const count = (name: string, tags: Tags = {}): Count => [name, Object.freeze({ method, ...tags })]
  return {
    invocation: each(INVOCATION, (result) =>
      each(FALLBACK, (fallback) => count('ft.invocations.total', { result, fallback })),
    ),
    retry: count('ft.retry.retries.total'),
    retryFinished: each(YES_NO, (retried) => {
      const results = each(RETRY, (retryResult) => count('ft.retry.calls.total', { retried, retryResult }))
      // In MicroProfile a caller cannot give up; the nearest case is an interrupted thread.
      return { ...results, aborted: results['exception-not-retryable'] }
    }),
    timeout: each(YES_NO, (timedOut) => count('ft.timeout.calls.total', { timedOut })),
    opened: count('ft.circuitbreaker.opened.total'),
    breaker: each(BREAKER, (circuitBreakerResult) => count('ft.circuitbreaker.calls.total', { circuitBreakerResult })),
    bulkhead: each(BULKHEAD, (bulkheadResult) => count('ft.bulkhead.calls.total', { bulkheadResult })),
    rateLimit: each(RATE_LIMIT, (rateLimitResult) => count('ft.ratelimit.calls.total', { rateLimitResult })),
  }
}

type Counters = ReturnType<typeof countersOf>

/** By the results of an event, something made of each as MicroProfile's tags write it. */
function each<K extends string, T>(results: readonly K[], make: (tag: string) => T): Readonly<Record<K, T>> {
  return Object.fromEntries(results.map((result) => [result, make(camelCase(result))])) as Record<K, T>
}

/** The counter that an event increments. */
function countOf(event: GuardEvent, counters: Counters): Count | undefined {
  switch (event.type) {
    case 'invocation':
      return counters.invocation[event.result][event.fallback]
    case 'retry':
      return counters.retry
    case 'retry-finished':
      return counters.retryFinished[`${event.retried}`][event.result]
    case 'timeout':
      return counters.timeout[`${event.timedOut}`]
    case 'circuit-breaker-call':
      return counters.breaker[event.result]
    case 'circuit-breaker-state':
      return event.from === 'closed' && event.to === 'open' ? counters.opened : undefined
    case 'bulkhead-call':
      return counters.bulkhead[event.result]
    case 'rate-limit-call':
      return counters.rateLimit[event.result]
    default:
      return undefined
  }
}

/** The histogram that an event belongs to, and its value. */
function durationOf(event: GuardEvent): readonly [name: string, ms: number] | undefined {
  switch (event.type) {
    case 'timeout':
      return ['ft.timeout.executionDuration', event.durationMs]
    case 'bulkhead-started':
      return ['ft.bulkhead.waitingDuration', event.waitedMs]
    case 'bulkhead-finished':
      return ['ft.bulkhead.runningDuration', event.durationMs]
    default:
      return undefined
  }
}

/**
 * Reports the events of a guard under the names and tags of MicroProfile Fault Tolerance 4.1 (`ft.invocations.total`, `ft.retry.…`,
 * `ft.timeout.…`, `ft.circuitbreaker.…`, `ft.bulkhead.…`, and SmallRye's `ft.ratelimit.…` and `ft.circuitbreaker.state.current`). The tag
 * `method` is the guard's name. Counters of active policies begin at 0.
 */
export function reportMetrics(guard: Guard<unknown>, sink: MetricSink): void {
  const method = guard.name
  const counters = countersOf(method)
  const own = Object.freeze({ method })
  for (const [name, tags] of startingCounts(guard.policies, counters)) sink.add(name, tags, 0)
  guard.onEvent((event) => {
    const count = countOf(event, counters)
    if (count !== undefined) sink.add(count[0], count[1], 1)
    const duration = durationOf(event)
    if (duration !== undefined) sink.observe(duration[0], own, duration[1] / 1000)
  })
  if (guard.circuitBreaker !== undefined) watchState(guard.circuitBreaker, method, sink)
  const { bulkhead } = guard
  if (bulkhead === undefined) return
  const gauge = (name: string, help: string, read: () => number) =>
    sink.watch(name, { type: 'gauge', help }, () => [{ tags: own, value: read() }])
  gauge('ft.bulkhead.executionsRunning', 'Calls that hold a slot of the bulkhead.', () => bulkhead.running)
  gauge('ft.bulkhead.executionsWaiting', 'Calls that wait for a slot of the bulkhead.', () => bulkhead.waiting)
}

function startingCounts(policies: ReadonlySet<PolicyName>, counters: Counters): readonly Count[] {
  const { invocation, retry, retryFinished, timeout, opened, breaker, bulkhead, rateLimit } = counters
  const fallbacks = policies.has('fallback') ? (['applied', 'not-applied'] as const) : (['not-defined'] as const)
  const counts: Record<PolicyName | 'always', readonly Count[]> = {
    always: fallbacks.flatMap((fallback) => Object.values(invocation).map((result) => result[fallback])),
    retry: [retry, ...Object.values(retryFinished).flatMap((results) => Object.values(results))],
    timeout: Object.values(timeout),
    circuitBreaker: [opened, ...Object.values(breaker)],
    bulkhead: Object.values(bulkhead),
    rateLimit: Object.values(rateLimit),
    fallback: [],
  }
  return [...new Set((['always', ...policies] as const).flatMap((policy) => counts[policy]))]
}
