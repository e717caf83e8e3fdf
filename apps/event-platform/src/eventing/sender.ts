import { type DeliveryPolicy, type SendOptions, type SendOutcome, sendEvent } from '@taproom/events'
import type { CloudEventV1 } from 'cloudevents'
import type { ResolvedDestination } from '../resources/addresses.ts'
import type { NamespacedName } from '../resources/object.ts'
import { isConnectionRefused, UnavailableError } from '../serving/errors.ts'
import type { Lease } from '../serving/instance-pool.ts'
import type { Serving } from '../serving/serving.ts'
import type { Brokers } from './brokers.ts'
import { EventRefusedError } from './errors.ts'
import { passThroughHeaders } from './pass-through-headers.ts'
import type { TrustedClients } from './trusted-clients.ts'

export interface DeliveryAttempt {
  readonly destination: ResolvedDestination
  readonly event: CloudEventV1<Buffer>
  readonly headers: Readonly<Record<string, string>>
  readonly policy: DeliveryPolicy
  readonly signal: AbortSignal
  /** Whether an event in the answer counts; dead letter sinks are not asked for one. */
  readonly prefersReply: boolean
}

export type Sender = (attempt: DeliveryAttempt) => Promise<SendOutcome>

type PostTarget = Pick<SendOptions, 'url' | 'path' | 'client'>

type ServiceDestination = Extract<ResolvedDestination, { kind: 'service' }>

/** Sends to services (starting them when needed), brokers and other URLs. */
export function createSender(options: {
  readonly brokers: Brokers
  readonly serving: Pick<Serving, 'acquire'>
  readonly clients: Pick<TrustedClients, 'of'>
  /** Who sends: the trigger's service account. */
  readonly subject: string
  /** A token of the sender for an audience. */
  readonly tokenFor: (audience: string) => Promise<string>
}): Sender {
  const { brokers, serving, clients } = options

  const post = (attempt: DeliveryAttempt, to: PostTarget): Promise<SendOutcome> => {
    const { audience } = attempt.destination
    if (audience === undefined) return postWith(attempt.headers, attempt, to)
    // The token is made last: the wait for an instance may have taken long.
    const token = options.tokenFor(audience)
    return token.then((text) => postWith({ ...attempt.headers, authorization: `Bearer ${text}` }, attempt, to))
  }

  const toBroker = async (broker: NamespacedName, { event, headers }: DeliveryAttempt): Promise<SendOutcome> => {
    try {
      await brokers.accept(broker, event, passThroughHeaders(headers), options.subject)
      return { delivered: true, status: 202 }
    } catch (error) {
      if (!(error instanceof EventRefusedError)) throw error
      return refused(error.status, error.message)
    }
  }

  const toService = async (service: ServiceDestination, attempt: DeliveryAttempt): Promise<SendOutcome> => {
    let lease: Lease
    try {
      lease = await serving.acquire(service, attempt.signal)
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      return { ...refused(503, error.message), retryAfterMs: error.retryAfterSeconds * 1000 }
    }
    try {
      const outcome = await post(attempt, { url: lease.url, path: service.path })
      if (outcome.delivered) lease.succeeded()
      else if (isConnectionRefused(outcome.cause)) lease.discard()
      return outcome
    } finally {
      lease.release()
    }
  }

  const toUrl = (url: URL, attempt: DeliveryAttempt): Promise<SendOutcome> => {
    const { caCerts } = attempt.destination
    const isTrusting = caCerts !== undefined && url.protocol === 'https:'
    return post(attempt, isTrusting ? { url, client: clients.of(caCerts) } : { url })
  }

  return (attempt) => {
    const { destination } = attempt
    switch (destination.kind) {
      case 'broker':
        return toBroker(destination, attempt)
      case 'service':
        return toService(destination, attempt)
      case 'url':
        return toUrl(destination.url, attempt)
    }
  }
}

function refused(status: number, why: string) {
  const retryable = status === 404 || status === 503
  return { delivered: false, status, retryable, reason: 'status', body: Buffer.from(why) } as const
}

function postWith(headers: DeliveryAttempt['headers'], attempt: DeliveryAttempt, to: PostTarget): Promise<SendOutcome> {
  const { event, policy, signal, prefersReply } = attempt
  const { timeoutMs, format } = policy
  return sendEvent({ ...to, event, headers, timeoutMs, format, signal, prefersReply, passesOn: true })
}
