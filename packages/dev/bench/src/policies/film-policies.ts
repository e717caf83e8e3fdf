export const POLICIES = {
  retry: { maxRetries: 3, delayMs: 2000, jitterMs: 0 },
  timeout: { timeoutMs: 2000 },
  circuitBreaker: { requestVolumeThreshold: 4, failureRatio: 0.5, delayMs: 5000, successThreshold: 2 },
}
