import { type CloudEvent, type DeliveryPolicy, type SendOutcome, sendEvent } from '@taproom/events'
import type { ResolvedDestination } from '../addresses.ts'
import type { NamespacedName } from '../resources/object.ts'
import { isConnectionRefused, UnavailableError } from '../serving/errors.ts'
import type { Lease } from '../serving/instance-pool.ts'
import type { Serving } from '../serving/serving.ts'
import type { Brokers } from './brokers.ts'
import { EventRefusedError } from './errors.ts'
import { passThroughHeaders } from './pass-through-headers.ts'

export interface DeliveryAttempt {
  readonly destination: ResolvedDestination
  readonly event: CloudEvent
  readonly headers: Readonly<Record<string, string>>
  readonly policy: DeliveryPolicy
  readonly signal: AbortSignal
  /** Whether an event in the answer counts; dead letter sinks are not asked for one. */
  readonly prefersReply: boolean
}

export type Sender = (attempt: DeliveryAttempt) => Promise<SendOutcome>

type ServiceDestination = Extract<ResolvedDestination, { kind: 'service' }>

/** Sends to services (starting them when needed), brokers and other URLs. */
export function createSender(options: {
  readonly brokers: Brokers
  readonly serving: Pick<Serving, 'acquire'>
}): Sender {
  const { brokers, serving } = options

  const toBroker = async (broker: NamespacedName, { event, headers }: DeliveryAttempt): Promise<SendOutcome> => {
    try {
      await brokers.accept(broker, event, passThroughHeaders(headers))
      return { delivered: true, status: 202 }
    } catch (error) {
      if (!(error instanceof EventRefusedError)) throw error
      const { status, message } = error
      return refused(status, message)
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

  return async (attempt) => {
    const { destination } = attempt
    switch (destination.kind) {
      case 'broker':
        return await toBroker(destination, attempt)
      case 'service':
        return await toService(destination, attempt)
      case 'url':
        return await post(attempt, { url: destination.url })
    }
  }
}

function refused(status: number, why: string) {
  const retryable = status === 404 || status === 503
  return { delivered: false, status, retryable, reason: 'status', body: Buffer.from(why) } as const
}

function post(attempt: DeliveryAttempt, to: { readonly url: URL; readonly path?: string }): Promise<SendOutcome> {
  const { event, headers, policy, signal, prefersReply } = attempt
  const { timeoutMs, format } = policy
  return sendEvent({ ...to, event, headers, timeoutMs, format, signal, prefersReply })
}
