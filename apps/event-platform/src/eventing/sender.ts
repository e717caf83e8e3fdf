import { type CloudEvent, type DeliveryPolicy, type SendOutcome, sendEvent } from '@taproom/events'
import type { Address, BrokerAddress } from '../addresses.ts'
import { isConnectionRefused, UnavailableError } from '../serving/errors.ts'
import type { Lease } from '../serving/instance-pool.ts'
import type { Brokers } from './brokers.ts'
import { EventRefusedError } from './errors.ts'
import { passThroughHeaders } from './pass-through-headers.ts'

/** One event on its way to one address. */
export interface Sending {
  readonly address: Address
  readonly event: CloudEvent
  readonly headers: Readonly<Record<string, string>>
  readonly policy: DeliveryPolicy
  readonly signal: AbortSignal
  /** Whether an answer that is an event counts; a dead letter sink is asked for none. */
  readonly prefersReply: boolean
}

/** Makes one attempt. */
export type Sender = (sending: Sending) => Promise<SendOutcome>

/** What leads to instances of services. */
interface Activator {
  acquire(namespace: string, name: string, signal: AbortSignal): Promise<Lease>
}

/** A sender that knows the platform's own addresses: services (started when needed) and brokers. */
export function createSender(options: { readonly brokers: Brokers; readonly serving: Activator }): Sender {
  const { brokers, serving } = options

  const toBroker = async (broker: BrokerAddress, { event, headers }: Sending): Promise<SendOutcome> => {
    try {
      await brokers.accept(broker, event, passThroughHeaders(headers))
      return { delivered: true, status: 202 }
    } catch (error) {
      if (!(error instanceof EventRefusedError)) throw error
      const { status, message } = error
      return refused(status, message)
    }
  }

  const toService = async (service: Extract<Address, { kind: 'service' }>, sending: Sending): Promise<SendOutcome> => {
    let lease: Lease
    try {
      lease = await serving.acquire(service.namespace, service.name, sending.signal)
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      return { ...refused(503, error.message), retryAfterMs: error.retryAfterSeconds * 1000 }
    }
    try {
      const outcome = await attempt(sending, new URL(`${lease.url}${service.path}`))
      if (outcome.delivered) lease.succeeded()
      else if (isConnectionRefused(outcome.cause)) lease.discard()
      return outcome
    } finally {
      lease.release()
    }
  }

  return async (sending) => {
    const { address } = sending
    switch (address.kind) {
      case 'broker':
        return await toBroker(address, sending)
      case 'service':
        return await toService(address, sending)
      case 'url':
        return await attempt(sending, address.url)
    }
  }
}

function refused(status: number, why: string) {
  const retryable = status === 404 || status === 503
  return { delivered: false, status, retryable, reason: 'status', body: Buffer.from(why) } as const
}

function attempt({ event, headers, policy, signal, prefersReply }: Sending, url: URL): Promise<SendOutcome> {
  const { timeoutMs, format } = policy
  return sendEvent({ url, event, headers, timeoutMs, format, signal, prefersReply })
}
