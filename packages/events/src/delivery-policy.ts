import { backOffMs } from '@taproom/core/time'
import { parseDuration } from './duration.ts'
import { DeliverySpecError, shownName } from './errors.ts'

/** `spec.delivery` of a trigger or broker; durations in ISO 8601. */
export interface DeliverySpec {
  /** Attempts after the first one; default 0 when a spec is given. */
  readonly retry?: number
  /** Default `exponential`. */
  readonly backoffPolicy?: 'exponential' | 'linear'
  /** Default `PT0.2S`. */
  readonly backoffDelay?: string
  /** Time for one attempt, above zero; default `PT30S`. */
  readonly timeout?: string
  /** Longest wait taken from `Retry-After`; `PT0S` ignores the header; default `PT10M`. */
  readonly retryAfterMax?: string
  /** The content mode that the subscriber wants; default: none in particular, as for `sendEvent`. */
  readonly format?: 'binary' | 'json'
}

/** Made by {@link parseDeliverySpec}. */
export interface DeliveryPolicy {
  /** Attempts after the first one. */
  readonly retry: number
  readonly backoffPolicy: 'exponential' | 'linear'
  readonly backoffDelayMs: number
  /** Time for one attempt. */
  readonly timeoutMs: number
  /** Longest wait taken from `Retry-After`; 0 ignores the header. */
  readonly retryAfterMaxMs: number
  readonly format?: 'binary' | 'json'
}

/** For triggers and brokers without `delivery`: 10 retries, exponential from 0.2 s, 204.6 s of waits and 11 attempts of 30 s in all. */
export const DEFAULT_DELIVERY_POLICY: DeliveryPolicy = Object.freeze({
  retry: 10,
  backoffPolicy: 'exponential',
  backoffDelayMs: 200,
  timeoutMs: 30_000,
  retryAfterMaxMs: 600_000,
})

/**
 * For what is sent within a request, whose client waits: at most 3 attempts of 2 s and 2 waits of at most 1 s (0.2 s and 0.4 s unless
 * `Retry-After` asks for more), so at most 8 s in all. An event that must not be lost when all attempts fail belongs in an outbox.
 */
export const REQUEST_DELIVERY_POLICY: DeliveryPolicy = Object.freeze({
  retry: 2,
  backoffPolicy: 'exponential',
  backoffDelayMs: 200,
  timeoutMs: 2000,
  retryAfterMaxMs: 1000,
})

/** The longest wait of a Node timer. */
const LONGEST_WAIT_MS = 2 ** 31 - 1
const MOST_RETRIES = 2 ** 31 - 1

/**
 * Reads a manifest's `delivery`. Without one the default policy holds; one without `retry` retries nothing, as with Knative. Other fields
 * (`deadLetterSink`) are ignored.
 *
 * @throws {DeliverySpecError} naming the first field that breaks a rule
 */
export function parseDeliverySpec(spec: DeliverySpec | undefined): DeliveryPolicy {
  if (spec === undefined || spec === null) return DEFAULT_DELIVERY_POLICY
  if (typeof spec !== 'object' || Array.isArray(spec)) throw new DeliverySpecError('delivery', 'must be an object')
  const timeoutMs = duration(spec, 'timeout', DEFAULT_DELIVERY_POLICY.timeoutMs)
  if (timeoutMs === 0) throw new DeliverySpecError('timeout', 'must be above zero')
  return {
    retry: retryOf(spec),
    backoffPolicy: oneOf(spec, 'backoffPolicy', ['exponential', 'linear']),
    backoffDelayMs: duration(spec, 'backoffDelay', DEFAULT_DELIVERY_POLICY.backoffDelayMs),
    timeoutMs,
    retryAfterMaxMs: duration(spec, 'retryAfterMax', DEFAULT_DELIVERY_POLICY.retryAfterMaxMs),
    ...(spec.format != null && { format: oneOf(spec, 'format', ['binary', 'json']) }),
  }
}

/**
 * The wait before retry `n`, counted from 0: delay × 2^n, or delay × n, so a linear policy retries at once first. A longer `Retry-After`,
 * up to the policy's bound, wins.
 */
export function retryWaitMs(policy: DeliveryPolicy, n: number, retryAfterMs = 0): number {
  const { backoffDelayMs: firstMs } = policy
  const isLinear = policy.backoffPolicy === 'linear'
  const waitMs = isLinear ? firstMs * n : backOffMs(n, { firstMs, longestMs: LONGEST_WAIT_MS })
  return Math.min(Math.max(waitMs, Math.min(retryAfterMs, policy.retryAfterMaxMs)), LONGEST_WAIT_MS)
}

function retryOf({ retry = 0 }: DeliverySpec): number {
  if (!Number.isInteger(retry) || retry < 0 || retry > MOST_RETRIES) {
    throw new DeliverySpecError('retry', `must be an integer of at least 0, not ${shownValue(retry)}`)
  }
  return retry
}

function oneOf<K extends 'backoffPolicy' | 'format'>(
  spec: DeliverySpec,
  field: K,
  allowed: readonly [NonNullable<DeliveryPolicy[K]>, NonNullable<DeliveryPolicy[K]>],
): NonNullable<DeliveryPolicy[K]> {
  const value: unknown = spec[field] ?? allowed[0]
  const found = allowed.find((candidate) => candidate === value)
  if (found === undefined) {
    throw new DeliverySpecError(field, `must be one of ${allowed.join(', ')}, not ${shownValue(value)}`)
  }
  return found
}

function duration(spec: DeliverySpec, field: 'backoffDelay' | 'timeout' | 'retryAfterMax', defaultMs: number): number {
  const text: unknown = spec[field]
  if (text === undefined) return defaultMs
  const ms = typeof text === 'string' ? parseDuration(text) : undefined
  if (ms === undefined || ms > LONGEST_WAIT_MS) {
    throw new DeliverySpecError(field, `must be an ISO 8601 duration such as PT0.2S, not ${shownValue(text)}`)
  }
  return ms
}

/** Shortened: the value may be of any size and depth. */
function shownValue(value: unknown): string {
  if (typeof value === 'string') return shownName(value)
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
