import type { CircuitBreakerOptions } from './circuit-breaker.ts'
import type { Numbers, PropertyReader } from './property-reader.ts'
import type { RetryOptions } from './retry.ts'

/** What {@link readPolicies} reads; a policy that is off is undefined. */
export type Policies = ReturnType<typeof readPolicies>

/** Names of the properties, and the values of those that are not set. */
export interface PolicyDefaults {
  /** Of the variables: with `FILM` retries are `FILM_RETRY_MAX_RETRIES`. */
  readonly prefix: string
  /** Class and method that stand for the call in MicroProfile's names: `FilmService/fetchFilm`. */
  readonly method: `${string}/${string}`
  /** Default 3 retries, 0 ms delay, 200 ms jitter, 180,000 ms in all. */
  readonly retry?: Partial<RetryDefaults>
  /** Default 1000. */
  readonly timeoutMs?: number
  /** Default 20 calls, 0.5, 5000 ms, 1 success. */
  readonly circuitBreaker?: Partial<CircuitBreakerDefaults>
}

type RetryDefaults = Required<Omit<RetryOptions, 'retryOn' | 'abortOn'>>

type CircuitBreakerDefaults = Required<Omit<CircuitBreakerOptions, 'name' | 'failOn' | 'skipOn' | 'now'>>

const RETRY: RetryDefaults = { maxRetries: 3, delayMs: 0, jitterMs: 200, maxDurationMs: 180_000 }
const CIRCUIT_BREAKER: CircuitBreakerDefaults = {
  requestVolumeThreshold: 20,
  failureRatio: 0.5,
  delayMs: 5000,
  successThreshold: 1,
}
const HOUR_MS = 3_600_000
const MANY = 10_000

/**
 * Reads every policy's parameters and whether it is on: by default retry, timeout, circuit breaker and fallback. `FILM_RETRY_MAX_RETRIES`
 * comes before MicroProfile's own names, which are read too, the most specific first: `FilmService/fetchFilm/Retry/maxRetries`,
 * `FilmService/Retry/maxRetries`, `Retry/maxRetries`.
 */
export function readPolicies(read: PropertyReader, defaults: PolicyDefaults) {
  const parameters = policyParameters(read, defaults)
  const nonFallback = read.boolean('MP_Fault_Tolerance_NonFallback_Enabled', { default: true })
  const isOn = (policy: string, isDefault: boolean) =>
    read.boolean(parameters.nameOf(`${policy}/enabled`, `${snake(policy)}_ENABLED`), { default: isDefault })
  const { retry, timeout, circuitBreaker, bulkhead, rateLimit } = {
    retry: readRetry(parameters, { ...RETRY, ...defaults.retry }, isOn('Retry', nonFallback)),
    timeout: { timeoutMs: parameters.milliseconds('Timeout/value', 'TIMEOUT_MS', defaults.timeoutMs ?? 1000) },
    circuitBreaker: readCircuitBreaker(parameters, { ...CIRCUIT_BREAKER, ...defaults.circuitBreaker }),
    bulkhead: readBulkhead(parameters),
    rateLimit: readRateLimit(parameters),
  }
  return {
    retry,
    timeout: isOn('Timeout', nonFallback) ? timeout : undefined,
    circuitBreaker: isOn('CircuitBreaker', nonFallback) ? circuitBreaker : undefined,
    bulkhead: isOn('Bulkhead', false) ? bulkhead : undefined,
    rateLimit: isOn('RateLimit', false) ? rateLimit : undefined,
    fallback: isOn('Fallback', true),
  }
}

/** Unreadable values are refused even when retry is off; rules between values apply only when it is on. */
function readRetry({ read, nameOf, integer, milliseconds }: Parameters, absent: RetryDefaults, isOn: boolean) {
  const delay = nameOf('Retry/delay', 'RETRY_DELAY_MS')
  const maxDuration = nameOf('Retry/maxDuration', 'RETRY_MAX_DURATION_MS')
  const retry = {
    maxRetries: integer('Retry/maxRetries', 'RETRY_MAX_RETRIES', { default: absent.maxRetries, min: -1, max: 1000 }),
    delayMs: read.integer(delay, { default: absent.delayMs, min: 0, max: HOUR_MS }),
    jitterMs: milliseconds('Retry/jitter', 'RETRY_JITTER_MS', absent.jitterMs),
    maxDurationMs: read.integer(maxDuration, { default: absent.maxDurationMs, min: 0, max: HOUR_MS }),
  }
  if (!isOn) return undefined
  if (retry.maxDurationMs > 0 && retry.maxDurationMs <= retry.delayMs) {
    read.problem(maxDuration, `is ${retry.maxDurationMs}, must be 0 or more than ${delay} (${retry.delayMs})`)
  }
  return retry
}

function readCircuitBreaker({ read, nameOf, integer, milliseconds }: Parameters, absent: CircuitBreakerDefaults) {
  const own = (name: string) => `CIRCUIT_BREAKER_${name}`
  const ratio = nameOf('CircuitBreaker/failureRatio', own('FAILURE_RATIO'))
  return {
    requestVolumeThreshold: integer('CircuitBreaker/requestVolumeThreshold', own('REQUEST_VOLUME_THRESHOLD'), {
      default: absent.requestVolumeThreshold,
      min: 1,
      max: MANY,
    }),
    failureRatio: read.number(ratio, { default: absent.failureRatio, min: 0, max: 1 }),
    delayMs: milliseconds('CircuitBreaker/delay', own('DELAY_MS'), absent.delayMs),
    successThreshold: integer('CircuitBreaker/successThreshold', own('SUCCESS_THRESHOLD'), {
      default: absent.successThreshold,
      min: 1,
      max: MANY,
    }),
  }
}

function readBulkhead({ integer }: Parameters) {
  return {
    value: integer('Bulkhead/value', 'BULKHEAD_VALUE', { default: 10, min: 1, max: MANY }),
    waitingTaskQueue: integer('Bulkhead/waitingTaskQueue', 'BULKHEAD_WAITING_TASK_QUEUE', {
      default: 10,
      min: 0,
      max: MANY,
    }),
  }
}

function readRateLimit({ read, nameOf, integer, milliseconds }: Parameters) {
  return {
    value: integer('RateLimit/value', 'RATE_LIMIT_VALUE', { default: 100, min: 1, max: MANY }),
    windowMs: integer('RateLimit/window', 'RATE_LIMIT_WINDOW_MS', { default: 1000, min: 1, max: HOUR_MS }),
    minSpacingMs: milliseconds('RateLimit/minSpacing', 'RATE_LIMIT_MIN_SPACING_MS', 0),
    type: read.custom(nameOf('RateLimit/type', 'RATE_LIMIT_TYPE'), {
      expected: 'fixed, rolling or smooth',
      default: 'fixed',
      parse: (text) => {
        const type = (['fixed', 'rolling', 'smooth'] as const).find((known) => known === text.toLowerCase())
        if (type === undefined) throw new RangeError('no such type')
        return type
      },
    }),
  }
}

type Parameters = ReturnType<typeof policyParameters>

/** Reads parameters, each by MicroProfile's name (`Retry/maxRetries`) and the rest of its own variable (`RETRY_MAX_RETRIES`). */
function policyParameters(read: PropertyReader, { prefix, method }: PolicyDefaults) {
  const [className] = method.split('/')
  /** The most specific name that is set, else that of its own variable. */
  const nameOf = (parameter: string, variable: string): string => {
    const own = `${prefix}_${variable}`
    const names = [own, `${method}/${parameter}`, `${className}/${parameter}`, parameter]
    return names.find((name) => read.optionalString(name) !== undefined) ?? own
  }
  const integer = (parameter: string, variable: string, bounds: Numbers): number =>
    read.integer(nameOf(parameter, variable), bounds)
  return {
    read,
    nameOf,
    integer,
    milliseconds: (parameter: string, variable: string, absent: number): number =>
      integer(parameter, variable, { default: absent, min: 0, max: HOUR_MS }),
  }
}

/** `CircuitBreaker` as `CIRCUIT_BREAKER`. */
function snake(name: string): string {
  return name.replace(/\B[A-Z]/g, '_$&').toUpperCase()
}
