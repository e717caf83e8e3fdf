import { setTimeout as sleepFor } from 'node:timers/promises'
import { type DeliveryPolicy, retryWaitMs } from './delivery-policy.ts'
import { type SendOptions, sendEvent } from './send-event.ts'
import type { DeliveryOutcome, NotDelivered } from './send-outcome.ts'

/** An event to deliver, and how persistently. */
export interface DeliverOptions extends Omit<SendOptions, 'timeoutMs' | 'format'> {
  readonly policy: DeliveryPolicy
  /** Called before each wait, for logs and counters. */
  readonly onRetry?: (retry: {
    readonly attempt: number
    readonly waitMs: number
    readonly outcome: NotDelivered
  }) => void
  /** Waits; replaced in tests. Rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/**
 * Sends an event until the subscriber takes it, answers with something that is not worth a retry, or the policy's
 * retries are used up; resolves to the last attempt's outcome.
 *
 * @throws the signal's reason when it aborts, during an attempt or a wait
 */
export async function deliverEvent(options: DeliverOptions): Promise<DeliveryOutcome> {
  const { policy, onRetry, sleep = sleepUnlessAborted, ...send } = options
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await sendEvent({ ...send, timeoutMs: policy.timeoutMs, format: policy.format })
    if (outcome.delivered || !outcome.retryable || attempt > policy.retry) return { ...outcome, attempts: attempt }
    const waitMs = retryWaitMs(policy, attempt - 1, outcome.retryAfterMs)
    onRetry?.({ attempt, waitMs, outcome })
    await sleep(waitMs, send.signal)
  }
}

async function sleepUnlessAborted(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleepFor(ms, undefined, signal ? { signal } : {})
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
