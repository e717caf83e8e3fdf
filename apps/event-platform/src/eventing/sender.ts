import { type CloudEvent, type DeliveryPolicy, type SendOutcome, sendEvent } from '@taproom/events'
import { isBrokerIngressHost, parseBrokerPath, parseClusterHost } from '../addresses.ts'
import { isConnectionRefused, UnavailableError } from '../serving/errors.ts'
import type { Lease } from '../serving/instance-pool.ts'
import type { Brokers } from './brokers.ts'
import { EventRefusedError } from './errors.ts'

/** One event on its way to one address. */
export interface Sending {
  /** An address of the cluster, or any other http URL. */
  readonly url: string
  readonly event: CloudEvent
  readonly headers: Readonly<Record<string, string>>
  readonly policy: DeliveryPolicy
  readonly signal: AbortSignal
}

/** Makes one attempt; never rejects unless the signal aborts. */
export type Sender = (sending: Sending) => Promise<SendOutcome>

/** What leads to instances of services. */
interface Activator {
  acquire(namespace: string, name: string, signal: AbortSignal): Promise<Lease>
}

/** A sender that knows the platform's own addresses: services (started when needed) and brokers. */
export function createSender(options: { readonly brokers: Brokers; readonly serving: Activator }): Sender {
  const { brokers, serving } = options

  const toBroker = async (broker: { namespace: string; name: string }, { event, headers }: Sending) => {
    try {
      await brokers.accept(broker, event, headers)
      return { delivered: true, status: 202 } as const
    } catch (error) {
      if (!(error instanceof EventRefusedError)) throw error
      const retryable = error.status === 404 || error.status === 503
      return { delivered: false, status: error.status, retryable, reason: 'status' } as const
    }
  }

  const toService = async ({ namespace, name }: { namespace: string; name: string }, sending: Sending) => {
    let lease: Lease
    try {
      lease = await serving.acquire(namespace, name, sending.signal)
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      const retryAfterMs = error.retryAfterSeconds * 1000
      return { delivered: false, status: 503, retryable: true, reason: 'status', retryAfterMs } as const
    }
    try {
      const { pathname, search } = new URL(sending.url)
      const outcome = await attempt(sending, new URL(`${lease.url}${pathname}${search}`))
      if (!outcome.delivered && isConnectionRefused(outcome.cause)) lease.discard()
      return outcome
    } finally {
      lease.release()
    }
  }

  return async (sending) => {
    const url = new URL(sending.url)
    const { host, pathname } = url
    if (isBrokerIngressHost(host)) {
      const broker = parseBrokerPath(pathname)
      return typeof broker === 'object'
        ? toBroker(broker, sending)
        : { delivered: false, status: 404, retryable: true, reason: 'status' }
    }
    const address = parseClusterHost(host, (namespace, name) => brokers.has({ namespace, name }))
    if (address === undefined) return attempt(sending, url)
    return address.kind === 'broker' ? toBroker(address, sending) : toService(address, sending)
  }
}

function attempt({ event, headers, policy, signal }: Sending, url: URL): Promise<SendOutcome> {
  return sendEvent({ url, event, headers, timeoutMs: policy.timeoutMs, format: policy.format, signal })
}
