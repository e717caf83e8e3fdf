import { sleep as sleepFor } from '@taproom/core/time'
import { type DeliveryPolicy, REQUEST_DELIVERY_POLICY, retryWaitMs } from './delivery-policy.ts'
import type { DeliveryOutcome, NotDelivered, SendOutcome } from './send-outcome.ts'

/** Limits that an attempt keeps to: options of `sendEvent`. */
export interface AttemptLimits {
  /** That of the policy. */
  readonly timeoutMs: number
  /** That of the whole delivery. */
  readonly signal?: AbortSignal
}

export interface RetryOptions {
  /** Default: {@link REQUEST_DELIVERY_POLICY}, at most 3 attempts and 8 s in all. */
  readonly policy?: DeliveryPolicy
  /** Ends the wait; each attempt gets it as well. */
  readonly signal?: AbortSignal
  /** Called before each wait, for logs and counters. */
  readonly onRetry?: (retry: {
    readonly attempt: number
    readonly waitMs: number
    readonly outcome: NotDelivered
  }) => void
  /** Replaced in tests. Rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/**
 * Attempts a delivery until the subscriber takes the event, the failure is not worth a retry, or the retries are used up; resolves to the
 * last attempt's outcome. Without a policy it ends in time for a request that waits for it, as long as each attempt keeps to its limits:
 *
 * ```ts
 * const outcome = await retryDelivery((limits) => sendEvent({ url, event, ...limits }), { signal })
 * ```
 *
 * @throws {unknown} the signal's reason when it aborts during a wait, and what an attempt throws
 */
export async function retryDelivery(
  attempt: (limits: AttemptLimits) => Promise<SendOutcome>,
  { policy = REQUEST_DELIVERY_POLICY, signal, onRetry, sleep = sleepFor }: RetryOptions = {},
): Promise<DeliveryOutcome> {
  const limits: AttemptLimits = { timeoutMs: policy.timeoutMs, ...(signal && { signal }) }
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await attempt(limits)
    if (outcome.delivered || !outcome.retryable || attempts > policy.retry) return { ...outcome, attempts }
    signal?.throwIfAborted()
    const waitMs = retryWaitMs(policy, attempts - 1, outcome.retryAfterMs)
    onRetry?.({ attempt: attempts, waitMs, outcome })
    await sleep(waitMs, signal)
  }
}
