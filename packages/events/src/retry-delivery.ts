import { sleep as sleepFor } from '@taproom/core/time'
import { type DeliveryPolicy, retryWaitMs } from './delivery-policy.ts'
import type { DeliveryOutcome, NotDelivered, SendOutcome } from './send-outcome.ts'

export interface RetryOptions {
  readonly policy: DeliveryPolicy
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
 * last attempt's outcome.
 *
 * @throws {unknown} the signal's reason when it aborts during a wait
 */
export async function retryDelivery(
  attempt: () => Promise<SendOutcome>,
  { policy, signal, onRetry, sleep = sleepFor }: RetryOptions,
): Promise<DeliveryOutcome> {
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await attempt()
    if (outcome.delivered || !outcome.retryable || attempts > policy.retry) return { ...outcome, attempts }
    signal?.throwIfAborted()
    const waitMs = retryWaitMs(policy, attempts - 1, outcome.retryAfterMs)
    onRetry?.({ attempt: attempts, waitMs, outcome })
    await sleep(waitMs, signal)
  }
}
