import { visible } from '@taproom/core/lines'
import type { NotDelivered } from '@taproom/events'

/** Characters shown of a failure. */
const SHOWN = 200

/** One delivery that has not ended. Times are milliseconds of a monotonic clock. */
interface Delivery {
  readonly startedAt: number
  /** Attempts that have failed. */
  attempt: number
  lastFailure?: string
  nextAttemptAt?: number
}

/** How a delivery ended; `failure` is there unless the event was delivered. */
interface End {
  readonly end: string
  readonly attempts: number
  readonly failure?: FailureFacts
}

/** An event that was not delivered: its id, `dropped` or `dead-lettered`, and why. */
interface GivenUp {
  readonly lastGivenUp: string
  readonly lastGivenUpEnd: string
  /** Failed attempts to deliver it; 0 where the filter failed. */
  readonly lastGivenUpAttempts: number
  readonly lastGivenUpFailure: string
}

/** {@link GivenUp} is there when the delivery that ended last failed. */
export interface DeliveriesUnderWay extends Partial<GivenUp> {
  readonly underWay: number
  /** Since the oldest one began. */
  readonly oldestMs?: number
  /** Failed attempts of the one that has most of them; the next two are about it. */
  readonly failedAttempts?: number
  readonly lastFailure?: string
  /** Until its next attempt; 0 while that goes on. */
  readonly nextAttemptMs?: number
}

/** The deliveries of one trigger that have not ended; bounded by the trigger's concurrency. */
export class Deliveries {
  readonly #all = new Set<Delivery>()
  #givenUp: GivenUp | undefined

  begin(now = performance.now()): Delivery {
    const delivery: Delivery = { startedAt: now, attempt: 0 }
    this.#all.add(delivery)
    return delivery
  }

  end(delivery: Delivery): void {
    this.#all.delete(delivery)
  }

  noteEnd({ id }: { readonly id: string }, { end, attempts, failure }: End): void {
    this.#givenUp = failure && {
      lastGivenUp: visible(id, SHOWN),
      lastGivenUpEnd: end,
      lastGivenUpAttempts: attempts,
      // Without what the subscriber said, which may quote the event: it stays in the report until an event is delivered.
      lastGivenUpFailure: failureText({ ...failure, body: undefined }),
    }
  }

  summary(now = performance.now()): DeliveriesUnderWay {
    const [oldest] = this.#all
    if (oldest === undefined) return { underWay: 0, ...this.#givenUp }
    let worst = oldest
    for (const delivery of this.#all) if (delivery.attempt > worst.attempt) worst = delivery
    const { attempt, lastFailure, nextAttemptAt = now } = worst
    return {
      underWay: this.#all.size,
      oldestMs: Math.round(now - oldest.startedAt),
      ...(lastFailure !== undefined && {
        failedAttempts: attempt,
        lastFailure,
        nextAttemptMs: Math.max(0, Math.round(nextAttemptAt - now)),
      }),
      ...this.#givenUp,
    }
  }
}

/** Notes a failed attempt, as `onRetry` of `retryDelivery` gives it. */
export function noteRetry(
  delivery: Delivery,
  { attempt, waitMs, outcome }: { readonly attempt: number; readonly waitMs: number; readonly outcome: NotDelivered },
): void {
  delivery.attempt = attempt
  delivery.lastFailure = failureText(outcome)
  delivery.nextAttemptAt = performance.now() + waitMs
}

type FailureFacts = Pick<NotDelivered, 'status' | 'detail' | 'cause'> & {
  readonly reason: string
  readonly body?: NotDelivered['body'] | undefined
}

/** In one line: `answered 503 (no instance was ready)`, `timeout`, `unreachable: connect ECONNREFUSED …`. */
export function failureText(failure: FailureFacts): string {
  const { status, body, reason } = failure
  if (status === undefined || reason !== 'status') return visible(noAnswerText(failure), SHOWN)
  const said = body === undefined ? '' : body.toString().trim()
  return said === '' ? `answered ${status}` : visible(`answered ${status} (${said})`, SHOWN)
}

/** Says why there was no answer that counts; unbounded. */
export function noAnswerText({ reason, detail, cause }: Omit<FailureFacts, 'status' | 'body'>): string {
  const words = detail ?? (cause instanceof Error ? cause.message : undefined)
  return words === undefined ? reason : `${reason}: ${words}`
}
