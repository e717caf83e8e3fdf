import CircuitBreaker from 'opossum'
import type { POLICIES } from './film-policies.ts'

/** opossum's breaker with its timeout and fallback; it has no retry. */
export function openOpossum<T>(call: () => Promise<T>, policies: typeof POLICIES, instead: T): CircuitBreaker<[], T> {
  const { requestVolumeThreshold, failureRatio, delayMs } = policies.circuitBreaker
  const breaker = new CircuitBreaker<[], T>(call, {
    timeout: policies.timeout.timeoutMs,
    volumeThreshold: requestVolumeThreshold,
    errorThresholdPercentage: failureRatio * 100,
    resetTimeout: delayMs,
  })
  breaker.fallback(() => instead)
  return breaker
}
