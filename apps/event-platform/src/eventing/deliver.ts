import {
  type CloudEvent,
  type DeliveryOutcome,
  type DeliveryPolicy,
  type NotDelivered,
  retryDelivery,
  type SendOutcome,
} from '@taproom/events'
import { EventRefusedError, TtlExpiredError } from './errors.ts'
import { asDeadLetter, asReply, readTtl, withoutTtl } from './extensions.ts'
import { passThroughHeaders } from './pass-through-headers.ts'
import type { Sender } from './sender.ts'
import { nextHop } from './trace-context.ts'

/** Where a trigger's events go and how hard delivery is tried. */
export interface DeliveryRoute {
  readonly subscriberUrl: string
  readonly policy: DeliveryPolicy
  /** Takes what the subscriber does not; without one it is dropped. */
  readonly deadLetter?: { readonly url: string; readonly policy: DeliveryPolicy }
  /** Takes the subscriber's answers, with the headers that travel along. */
  readonly reply: (event: CloudEvent, headers: Readonly<Record<string, string>>) => Promise<void>
}

/** How a delivery ended. */
export type DeliveryResult = { readonly attempts: number } & (
  | { readonly end: 'delivered'; readonly replied: boolean }
  | { readonly end: 'dead-lettered' | 'dropped'; readonly failure: NotDelivered }
)

/** What a delivery is given. */
export interface DeliveryRequest {
  /** As it was kept, with its loop guard. */
  readonly event: CloudEvent
  readonly headers: Readonly<Record<string, string>>
  readonly route: DeliveryRoute
  readonly send: Sender
  readonly signal: AbortSignal
}

/**
 * Delivers an event by the rules of the Knative data plane: retries with back-off, answers that are events go back to the broker (if
 * it does not take one, delivery is tried again), undeliverable events go to the dead letter sink. Rejects only when the signal
 * aborts, and then the event has to be delivered again later.
 */
export async function deliver(request: DeliveryRequest): Promise<DeliveryResult> {
  const { event, headers, route, send, signal } = request
  const ttl = readTtl(event) ?? 0
  const sending = { event: withoutTtl(event), signal }
  const attempt = async () => {
    const hop = nextHop(headers)
    const outcome = await send({ ...sending, headers: hop, url: route.subscriberUrl, policy: route.policy })
    if (!outcome.delivered || outcome.reply === undefined) return outcome
    const reply = asReply(outcome.reply, ttl)
    return passReply(() => route.reply(reply, passThroughHeaders(hop)), outcome)
  }

  const outcome = await withRetries(attempt, route.policy, signal)
  const { attempts } = outcome
  if (outcome.delivered) return { end: 'delivered', attempts, replied: outcome.reply !== undefined }
  if (route.deadLetter === undefined) return { end: 'dropped', attempts, failure: outcome }

  const { status, body } = outcome
  const letter = asDeadLetter(event, { destination: route.subscriberUrl, status, body })
  const { url, policy } = route.deadLetter
  const last = await withRetries(
    () => send({ ...sending, headers: nextHop(headers), event: letter, url, policy }),
    policy,
    signal,
  )
  return last.delivered
    ? { end: 'dead-lettered', attempts, failure: outcome }
    : { end: 'dropped', attempts, failure: last }
}

/** A reply that has gone round too often ends here: sending the event again would bring the same reply again. */
async function passReply(reply: () => Promise<void>, outcome: SendOutcome): Promise<SendOutcome> {
  try {
    await reply()
    return outcome
  } catch (error) {
    if (error instanceof TtlExpiredError) return { delivered: true, status: 200 }
    if (!(error instanceof EventRefusedError)) throw error
    return { delivered: false, retryable: true, status: 502, reason: 'invalid-reply', cause: error }
  }
}

/**
 * What comes in after the abort does not count: the event is delivered again later. An attempt that throws for any other reason is one
 * that nobody answered: it is made again, as an accepted event must not end with a defect on its way.
 */
function withRetries(
  attempt: () => Promise<SendOutcome>,
  policy: DeliveryPolicy,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const attemptInTime = async () => {
    const outcome = await attempt().catch((cause: unknown): SendOutcome => {
      return { delivered: false, retryable: true, reason: 'unreachable', cause }
    })
    signal.throwIfAborted()
    return outcome
  }
  return retryDelivery(attemptInTime, { policy, signal })
}
