import {
  type DeliveryOutcome,
  type DeliveryPolicy,
  type NotDelivered,
  type RetryOptions,
  retryDelivery,
  type SendOutcome,
} from '@taproom/events'
import { HttpClientError } from '@taproom/http'
import type { CloudEventV1 } from 'cloudevents'
import type { ResolvedDestination } from '../resources/addresses.ts'
import { noAnswerText } from './deliveries.ts'
import { inAttemptSpan } from './delivery-spans.ts'
import { EventRefusedError } from './errors.ts'
import { asDeadLetter, asReply, readTtl, withoutTtl } from './extensions.ts'
import { replyHeaders } from './pass-through-headers.ts'
import type { Sender } from './sender.ts'
import { nextHop } from './trace-context.ts'

type Headers = Readonly<Record<string, string>>

export interface DeliveryRoute {
  readonly subscriber: ResolvedDestination
  readonly policy: DeliveryPolicy
  /** For events that the subscriber does not take; without one they are dropped. */
  readonly deadLetterSink?: ResolvedDestination | undefined
  /** Called with events in the subscriber's answers, and their pass-through headers. */
  readonly reply: (event: CloudEventV1<Buffer>, headers: Headers) => Promise<void>
}

/** The last attempt's outcome, or that the trigger's filter failed. */
export type Failure = Pick<NotDelivered, 'status' | 'body' | 'detail' | 'cause'> & {
  readonly reason: NotDelivered['reason'] | 'filter'
}

export interface GivenUp {
  readonly end: 'dead-lettered' | 'dropped'
  readonly failure: Failure
}

export type DeliveryResult = { readonly attempts: number } & (
  | { readonly end: 'delivered'; readonly replied: boolean }
  | GivenUp
)

/** `onRetry` is called after each failed attempt to deliver that another one follows. */
export interface DeliveryRequest extends Pick<RetryOptions, 'onRetry'> {
  /** As stored, with its TTL. */
  readonly event: CloudEventV1<Buffer>
  readonly headers: Headers
  readonly route: DeliveryRoute
  readonly send: Sender
  readonly signal: AbortSignal
}

const NO_ANSWER_STATUS = 500

/**
 * Delivers an event by the rules of the Knative data plane: retries with back-off; reply events go to the broker (if it refuses one,
 * delivery is retried); undeliverable events go to the dead letter sink. Rejects only when the signal aborts: the event must then be
 * delivered again.
 */
export async function deliver(request: DeliveryRequest): Promise<DeliveryResult> {
  const { event, headers, route, send, signal, onRetry } = request
  const { subscriber, policy } = route
  const ttl = readTtl(event) ?? 0
  // Another broker gets the TTL too: two brokers that feed each other would otherwise never stop.
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

  const destination = subscriber.uri
  const outcome = await withRetries(attempt, {
    name: 'deliver',
    destination,
    policy,
    signal,
    ...(onRetry && { onRetry }),
  })
  const { attempts } = outcome
  if (outcome.delivered) return { end: 'delivered', attempts, replied: outcome.reply !== undefined }
  return { ...(await giveUp(request, outcome)), attempts }
}

/** Sends the event to the dead letter sink, if any, with the reason. Rejects as `deliver` does. */
export async function giveUp(request: DeliveryRequest, failure: Failure): Promise<GivenUp> {
  const { event, headers, route, send, signal } = request
  const { subscriber, deadLetterSink, policy } = route
  if (deadLetterSink === undefined) return { end: 'dropped', failure }
  const letter = asDeadLetter(event, {
    destination: subscriber.uri,
    status: failure.status ?? NO_ANSWER_STATUS,
    data: failure.body ?? Buffer.from(failure.status === undefined ? noAnswerText(failure) : ''),
  })
  const to = { destination: deadLetterSink, event: letter, policy, signal, prefersReply: false }
  const attempt = () => send({ ...to, headers: nextHop(headers) })
  const destination = deadLetterSink.uri
  const last = await withRetries(attempt, { name: 'dead letter', destination, policy, signal })
  return last.delivered ? { end: 'dead-lettered', failure } : { end: 'dropped', failure: last }
}

/** A reply with expired TTL is dropped: a retry would bring the same reply. */
async function passReply(reply: () => Promise<void>, outcome: SendOutcome): Promise<SendOutcome> {
  try {
    await reply()
    return outcome
  } catch (error) {
    if (error instanceof EventRefusedError && error.code === 'EVENT_TTL_EXPIRED')
      return { delivered: true, status: 200 }
    if (!(error instanceof EventRefusedError)) throw error
    const retryable = error.code !== 'EVENT_FORBIDDEN'
    return { delivered: false, retryable, status: 502, reason: 'invalid-reply', cause: error }
  }
}

/**
 * Answers after an abort do not count, as the event is delivered again. An attempt that throws counts as unanswered and is retried, unless
 * each would throw: a defect on the way must not lose an accepted event.
 */
function withRetries(
  attempt: () => Promise<SendOutcome>,
  options: {
    /** Of the attempts' spans. */
    readonly name: Parameters<typeof inAttemptSpan>[0]
    readonly destination: string
    readonly signal: AbortSignal
  } & Pick<RetryOptions, 'policy' | 'onRetry'>,
): Promise<DeliveryOutcome> {
  const { name, destination, signal } = options
  let count = 0
  const attemptInTime = async () => {
    count += 1
    let outcome: SendOutcome
    try {
      outcome = await inAttemptSpan(name, { attempt: count, destination }, attempt)
    } catch (cause) {
      outcome = thrown(cause)
    }
    signal.throwIfAborted()
    return outcome
  }
  return retryDelivery(attemptInTime, options)
}

function thrown(cause: unknown): SendOutcome {
  // A fault of the request itself, found before sending: retries would fail the same way.
  const isUnsendable = cause instanceof HttpClientError && cause.code === 'HTTP_REQUEST_INVALID'
  return { delivered: false, retryable: !isUnsendable, reason: isUnsendable ? 'unsendable' : 'unreachable', cause }
}
