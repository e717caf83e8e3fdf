import type { EnvReader } from '@taproom/service'

/** A policy that is off is undefined. */
export type FilmPolicies = ReturnType<typeof readFilmPolicies>

const HOUR_MS = 3_600_000
const MANY = 10_000

/**
 * Reads every policy's parameters. `FILM_RETRY_MAX_RETRIES` comes before MicroProfile's own names, which are read too, the most specific
 * first: `FilmService/fetchFilm/Retry/maxRetries`, `FilmService/Retry/maxRetries`, `Retry/maxRetries`.
 */
export function readFilmPolicies(reader: EnvReader) {
  const nonFallback = reader.boolean('MP_Fault_Tolerance_NonFallback_Enabled', { default: true })
  const isOn = (policy: string, isDefault: boolean) => {
    const own = `FILM_${policy.replace(/\B[A-Z]/g, '_$&').toUpperCase()}_ENABLED`
    return reader.boolean(variable(reader, `${policy}/enabled`, own), { default: isDefault })
  }
  const { retry, timeout, circuitBreaker, bulkhead, rateLimit } = {
    retry: readRetry(reader, isOn('Retry', nonFallback)),
    timeout: { timeoutMs: milliseconds(reader, 'Timeout/value', 'FILM_TIMEOUT_MS', 2000) },
    circuitBreaker: readCircuitBreaker(reader),
    bulkhead: readBulkhead(reader),
    rateLimit: readRateLimit(reader),
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
function readRetry(reader: EnvReader, isOn: boolean) {
  const delay = variable(reader, 'Retry/delay', 'FILM_RETRY_DELAY_MS')
  const maxDuration = variable(reader, 'Retry/maxDuration', 'FILM_RETRY_MAX_DURATION_MS')
  const retry = {
    maxRetries: integer(reader, 'Retry/maxRetries', 'FILM_RETRY_MAX_RETRIES', { default: 3, min: -1, max: 1000 }),
    delayMs: reader.integer(delay, { default: 2000, min: 0, max: HOUR_MS }),
    jitterMs: milliseconds(reader, 'Retry/jitter', 'FILM_RETRY_JITTER_MS', 0),
    maxDurationMs: reader.integer(maxDuration, { default: 180_000, min: 0, max: HOUR_MS }),
  }
  if (!isOn) return undefined
  if (retry.maxDurationMs > 0 && retry.maxDurationMs <= retry.delayMs) {
    reader.problem(maxDuration, `is ${retry.maxDurationMs}, must be 0 or more than ${delay} (${retry.delayMs})`)
  }
  return retry
}

function readCircuitBreaker(reader: EnvReader) {
  const own = (name: string) => `FILM_CIRCUIT_BREAKER_${name}`
  const ratio = variable(reader, 'CircuitBreaker/failureRatio', own('FAILURE_RATIO'))
  return {
    requestVolumeThreshold: integer(reader, 'CircuitBreaker/requestVolumeThreshold', own('REQUEST_VOLUME_THRESHOLD'), {
      default: 4,
      min: 1,
      max: MANY,
    }),
    failureRatio: reader.number(ratio, { default: 0.5, min: 0, max: 1 }),
    delayMs: milliseconds(reader, 'CircuitBreaker/delay', own('DELAY_MS'), 5000),
    successThreshold: integer(reader, 'CircuitBreaker/successThreshold', own('SUCCESS_THRESHOLD'), {
      default: 2,
      min: 1,
      max: MANY,
    }),
  }
}

function readBulkhead(reader: EnvReader) {
  return {
    value: integer(reader, 'Bulkhead/value', 'FILM_BULKHEAD_VALUE', { default: 10, min: 1, max: MANY }),
    waitingTaskQueue: integer(reader, 'Bulkhead/waitingTaskQueue', 'FILM_BULKHEAD_WAITING_TASK_QUEUE', {
      default: 10,
      min: 0,
      max: MANY,
    }),
  }
}

function readRateLimit(reader: EnvReader) {
  const window = variable(reader, 'RateLimit/window', 'FILM_RATE_LIMIT_WINDOW_MS')
  return {
    value: integer(reader, 'RateLimit/value', 'FILM_RATE_LIMIT_VALUE', { default: 100, min: 1, max: MANY }),
    windowMs: reader.integer(window, { default: 1000, min: 1, max: HOUR_MS }),
    minSpacingMs: milliseconds(reader, 'RateLimit/minSpacing', 'FILM_RATE_LIMIT_MIN_SPACING_MS', 0),
    type: reader.custom(variable(reader, 'RateLimit/type', 'FILM_RATE_LIMIT_TYPE'), {
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

interface Bounds {
  readonly default: number
  readonly min: number
  readonly max: number
}

function integer(reader: EnvReader, parameter: string, own: string, bounds: Bounds): number {
  return reader.integer(variable(reader, parameter, own), bounds)
}

function milliseconds(reader: EnvReader, parameter: string, own: string, value: number): number {
  return integer(reader, parameter, own, { default: value, min: 0, max: HOUR_MS })
}

/** The most specific name that is set, else our own. */
function variable(reader: EnvReader, parameter: string, own: string): string {
  const names = [own, `FilmService/fetchFilm/${parameter}`, `FilmService/${parameter}`, parameter]
  return names.find((name) => reader.optionalString(name) !== undefined) ?? own
}
