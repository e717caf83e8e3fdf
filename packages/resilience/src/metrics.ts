import type { Guard, PolicyName } from './guard.ts'
import type { GuardEvent } from './guard-event.ts'
import type { MetricSink, Tags } from './metric-sink.ts'
import { watchState } from './state-metrics.ts'

const INVOCATION_RESULTS = ['valueReturned', 'exceptionThrown']
const RETRY_RESULTS = ['valueReturned', 'exceptionNotRetryable', 'maxRetriesReached', 'maxDurationReached']
const BREAKER_RESULTS = ['success', 'failure', 'circuitBreakerOpen']

/** Results of events as MicroProfile's tags write them: made once, because every call has several. */
const TAG_VALUES = {
  'value-returned': 'valueReturned',
  'exception-thrown': 'exceptionThrown',
  'not-defined': 'notDefined',
  applied: 'applied',
  'not-applied': 'notApplied',
  'exception-not-retryable': 'exceptionNotRetryable',
  // In MicroProfile a caller cannot give up; the nearest case is an interrupted thread.
  aborted: 'exceptionNotRetryable',
  'max-retries-reached': 'maxRetriesReached',
  'max-duration-reached': 'maxDurationReached',
  success: 'success',
  failure: 'failure',
  'circuit-breaker-open': 'circuitBreakerOpen',
} as const

type Count = readonly [name: string, tags?: Tags]

/** The counter that an event increments. */
function countOf(event: GuardEvent): Count | undefined {
  switch (event.type) {
    case 'invocation':
      return ['ft.invocations.total', { result: TAG_VALUES[event.result], fallback: TAG_VALUES[event.fallback] }]
    case 'retry':
      return ['ft.retry.retries.total']
    case 'retry-finished':
      return ['ft.retry.calls.total', { retried: String(event.retried), retryResult: TAG_VALUES[event.result] }]
    case 'timeout':
      return ['ft.timeout.calls.total', { timedOut: String(event.timedOut) }]
    case 'circuit-breaker-call':
      return ['ft.circuitbreaker.calls.total', { circuitBreakerResult: TAG_VALUES[event.result] }]
    case 'circuit-breaker-state':
      return event.from === 'closed' && event.to === 'open' ? ['ft.circuitbreaker.opened.total'] : undefined
    case 'bulkhead-call':
      return ['ft.bulkhead.calls.total', { bulkheadResult: event.result }]
    case 'rate-limit-call':
      return ['ft.ratelimit.calls.total', { rateLimitResult: event.result }]
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
  for (const [name, tags] of startingCounts(guard.policies)) sink.add(name, { method, ...tags }, 0)
  guard.onEvent((event) => {
    const count = countOf(event)
    if (count !== undefined) sink.add(count[0], { method, ...count[1] }, 1)
    const duration = durationOf(event)
    if (duration !== undefined) sink.observe(duration[0], { method }, duration[1] / 1000)
  })
  if (guard.circuitBreaker !== undefined) watchState(guard.circuitBreaker, method, sink)
  const { bulkhead } = guard
  if (bulkhead === undefined) return
  const gauge = (name: string, help: string, read: () => number) =>
    sink.watch(name, { type: 'gauge', help }, () => [{ tags: { method }, value: read() }])
  gauge('ft.bulkhead.executionsRunning', 'Calls that hold a slot of the bulkhead.', () => bulkhead.running)
  gauge('ft.bulkhead.executionsWaiting', 'Calls that wait for a slot of the bulkhead.', () => bulkhead.waiting)
}

function startingCounts(policies: ReadonlySet<PolicyName>): Count[] {
  const fallbacks = policies.has('fallback') ? ['applied', 'notApplied'] : ['notDefined']
  const counts: Record<PolicyName | 'always', readonly Count[]> = {
    always: fallbacks.flatMap((fallback) =>
      INVOCATION_RESULTS.map((result): Count => ['ft.invocations.total', { result, fallback }]),
    ),
    retry: [
      ['ft.retry.retries.total'],
      ...['false', 'true'].flatMap((retried) =>
        RETRY_RESULTS.map((retryResult): Count => ['ft.retry.calls.total', { retried, retryResult }]),
      ),
    ],
    timeout: ['false', 'true'].map((timedOut) => ['ft.timeout.calls.total', { timedOut }]),
    circuitBreaker: [
      ['ft.circuitbreaker.opened.total'],
      ...BREAKER_RESULTS.map(
        (circuitBreakerResult): Count => ['ft.circuitbreaker.calls.total', { circuitBreakerResult }],
      ),
    ],
    bulkhead: ['accepted', 'rejected'].map((bulkheadResult) => ['ft.bulkhead.calls.total', { bulkheadResult }]),
    rateLimit: ['permitted', 'rejected'].map((rateLimitResult) => ['ft.ratelimit.calls.total', { rateLimitResult }]),
    fallback: [],
  }
  return (['always', ...policies] as const).flatMap((policy) => counts[policy])
}
