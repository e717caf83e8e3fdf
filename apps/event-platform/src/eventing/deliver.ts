import {
  type CloudEvent,
  type DeliveryOutcome,
  type DeliveryPolicy,
  type NotDelivered,
  retryDelivery,
  type SendOutcome,
} from '@taproom/events'
import type { ResolvedDestination } from '../addresses.ts'
import { EventRefusedError, TtlExpiredError } from './errors.ts'
import { asDeadLetter, asReply, readTtl, withoutTtl } from './extensions.ts'
import { replyHeaders } from './pass-through-headers.ts'
import type { Sender } from './sender.ts'
import { nextHop } from './trace-context.ts'

type Headers = Readonly<Record<string, string>>

/** Where a trigger's events go and how hard delivery is tried. */
export interface DeliveryRoute {
  readonly subscriber: ResolvedDestination
  readonly policy: DeliveryPolicy
  /** Takes what the subscriber does not; without one it is dropped. */
  readonly deadLetterSink?: ResolvedDestination
  /** Takes the subscriber's answers, with the headers that travel along. */
  readonly reply: (event: CloudEvent, headers: Headers) => Promise<void>
}

/** Why an event did not reach its subscriber: the last attempt's outcome, or that the trigger's filter could not be evaluated. */
export type Failure = Pick<NotDelivered, 'status' | 'body' | 'detail' | 'cause'> & {
  readonly reason: NotDelivered['reason'] | 'filter'
}

/** What became of an event that its subscriber did not get. */
export interface GivenUp {
  readonly end: 'dead-lettered' | 'dropped'
  readonly failure: Failure
}

/** How a delivery ended. */
export type DeliveryResult = { readonly attempts: number } & (
  | { readonly end: 'delivered'; readonly replied: boolean }
  | GivenUp
)

/** What a delivery is given. */
export interface DeliveryRequest {
  /** As it was kept, with its loop guard. */
  readonly event: CloudEvent
  readonly headers: Headers
  readonly route: DeliveryRoute
  readonly send: Sender
  readonly signal: AbortSignal
}

const NO_ANSWER_STATUS = 500

/** Faults of what is to be sent, found before anything is: they are there at each attempt. */
const UNSENDABLE_CODES: ReadonlySet<unknown> = new Set([
  'ERR_INVALID_CHAR',
  'ERR_INVALID_HTTP_TOKEN',
  'ERR_HTTP_INVALID_HEADER_VALUE',
  'ERR_UNESCAPED_CHARACTERS',
])

/**
 * Delivers an event by the rules of the Knative data plane: retries with back-off, answers that are events go back to the broker (if
 * it does not take one, delivery is tried again), undeliverable events go to the dead letter sink. Rejects only when the signal
 * aborts, and then the event has to be delivered again later.
 */
export async function deliver(request: DeliveryRequest): Promise<DeliveryResult> {
  const { event, headers, route, send, signal } = request
  const { subscriber, policy } = route
  const ttl = readTtl(event) ?? 0
  // To another broker the loop guard goes along: two brokers that feed each other would go on for ever.
  const sent = subscriber.kind === 'broker' ? event : withoutTtl(event)
  const attempt = async () => {
    const hop = nextHop(headers)
    const outcome = await send({
      destination: subscriber,
      event: sent,
      headers: hop,
      policy,
      signal,
      prefersReply: true,
    })
    if (!outcome.delivered || outcome.reply === undefined) return outcome
    const reply = asReply(outcome.reply, ttl)
    return passReply(() => route.reply(reply, replyHeaders(outcome.headers, hop)), outcome)
  }

  const outcome = await withRetries(attempt, policy, signal)
  const { attempts } = outcome
  if (outcome.delivered) return { end: 'delivered', attempts, replied: outcome.reply !== undefined }
  return { ...(await giveUp(request, outcome)), attempts }
}

/** Sends an event that its subscriber does not get to the dead letter sink, if there is one, saying why. Rejects as `deliver` does. */
export async function giveUp(request: DeliveryRequest, failure: Failure): Promise<GivenUp> {
  const { event, headers, route, send, signal } = request
  const { subscriber, deadLetterSink, policy } = route
  if (deadLetterSink === undefined) return { end: 'dropped', failure }
  const letter = asDeadLetter(event, {
    destination: subscriber.uri,
    status: failure.status ?? NO_ANSWER_STATUS,
    data: failure.body ?? Buffer.from(reasonOf(failure)),
  })
  const to = { destination: deadLetterSink, event: letter, policy, signal, prefersReply: false }
  const attempt = () => send({ ...to, headers: nextHop(headers) })
  const last = await withRetries(attempt, policy, signal)
  return last.delivered ? { end: 'dead-lettered', failure } : { end: 'dropped', failure: last }
}

/** Nothing when the subscriber answered and said nothing; else what kept it from answering. */
function reasonOf({ status, reason, detail, cause }: Failure): string {
  if (status !== undefined) return ''
  const words = detail ?? (cause instanceof Error ? cause.message : undefined)
  return words === undefined ? reason : `${reason}: ${words}`
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
 * that nobody answered: it is made again, as an accepted event must not end with a defect on its way, unless it would throw each time.
 */
function withRetries(
  attempt: () => Promise<SendOutcome>,
  policy: DeliveryPolicy,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const attemptInTime = async () => {
    const outcome = await attempt().catch((cause: unknown): SendOutcome => {
      const isUnsendable = cause instanceof Error && 'code' in cause && UNSENDABLE_CODES.has(cause.code)
      return { delivered: false, retryable: !isUnsendable, reason: isUnsendable ? 'unsendable' : 'unreachable', cause }
    })
    signal.throwIfAborted()
    return outcome
  }
  return retryDelivery(attemptInTime, { policy, signal })
}
