import { LIMITS } from '@taproom/core/limits'
import { visible } from '@taproom/core/lines'
import { toKafkaMessage } from '@taproom/events'
import { BufferFullError, type MessagingError, type OutgoingChannel, SendRefusedError } from '@taproom/messaging'
import type { CloudEventV1 } from 'cloudevents'
import { type NamespacedName, nameText } from '../resources/object.ts'
import type { BrokerAccess } from './broker-access.ts'
import { ByteBudget } from './byte-budget.ts'
import { EventRefusedError } from './errors.ts'
import { ttlAfterPass, withArrival } from './extensions.ts'
import { tooMuchToCarry } from './pass-through-headers.ts'

/** Room for the largest event, its attributes and pass-through headers, and Kafka's own framing. */
export const MAX_RECORD_BYTES: number = LIMITS.structuredEventBytes + 64 * 1024

/** 64 of the largest events. */
export const DEFAULT_BUFFER_BYTES: number = 64 * LIMITS.eventDataBytes

/** Names cannot contain dots, so two brokers never share a topic. */
export function brokerTopic({ namespace, name }: NamespacedName): string {
  return `knative-broker.${namespace}.${name}`
}

/** Knows which brokers exist and are ready, and writes events to their topics: Kafka has an event before its sender is answered. */
export class Brokers {
  readonly #outgoing: OutgoingChannel
  readonly #now: () => Date
  readonly #ready = new Map<string, boolean>()
  readonly #access: BrokerAccess | undefined
  /** Events since the platform started. */
  readonly counters = { accepted: 0, refused: 0 }
  /** Room for events being accepted over HTTP. */
  readonly budget: ByteBudget

  constructor(options: {
    readonly outgoing: OutgoingChannel
    /** Most bytes of events being accepted over HTTP at once; default 64 MiB. */
    readonly bufferBytes?: number
    /** Who may send; default: everyone. */
    readonly access?: BrokerAccess | undefined
    readonly now?: () => Date
  }) {
    this.#outgoing = options.outgoing
    this.#access = options.access
    this.budget = new ByteBudget(options.bufferBytes ?? DEFAULT_BUFFER_BYTES)
    this.#now = options.now ?? (() => new Date())
  }

  set(broker: NamespacedName, isReady: boolean): void {
    this.#ready.set(brokerTopic(broker), isReady)
  }

  delete(broker: NamespacedName): void {
    this.#ready.delete(brokerTopic(broker))
  }

  has(broker: NamespacedName): boolean {
    return this.#ready.has(brokerTopic(broker))
  }

  isReady(broker: NamespacedName): boolean {
    return this.#ready.get(brokerTopic(broker)) === true
  }

  /**
   * `sender`: the subject that sends, where not everyone may. Without an event: whether there may be one that it may send.
   *
   * @throws {EventRefusedError} when there is no such broker, it is not ready, or takes no such event from the sender
   */
  assertTakes(broker: NamespacedName, sender: string | undefined, event?: CloudEventV1<Buffer>): void {
    const isReady = this.#ready.get(brokerTopic(broker))
    if (isReady === undefined)
      throw new EventRefusedError('BROKER_UNKNOWN', `there is no broker ${visible(nameText(broker), 200)}`)
    if (!isReady) throw new EventRefusedError('BROKER_NOT_READY', `broker ${nameText(broker)} is not ready yet`)
    this.#access?.check(broker, sender, event)
  }

  /** Resolves once Kafka has the event on all its replicas. @throws {EventRefusedError} when it is not accepted */
  async accept(
    broker: NamespacedName,
    event: CloudEventV1<Buffer>,
    headers: Readonly<Record<string, string>> = {},
    sender?: string,
  ): Promise<void> {
    try {
      // The ingress checked before reading the body; the broker may have gone since.
      this.assertTakes(broker, sender, event)
      const ttl = ttlAfterPass(event)
      if (ttl <= 0)
        throw new EventRefusedError('EVENT_TTL_EXPIRED', 'knativebrokerttl: the event has passed brokers too often')
      const problem = tooMuchToCarry(headers)
      if (problem !== undefined) throw new EventRefusedError('EVENT_HEADERS_TOO_LARGE', problem)
      const message = toKafkaMessage(withArrival(event, { ttl, time: this.#now() }))
      await this.#store({ ...message, topic: brokerTopic(broker), headers: { ...headers, ...message.headers } })
      this.counters.accepted += 1
    } catch (error) {
      this.counters.refused += 1
      throw error
    }
  }

  async #store(message: Parameters<OutgoingChannel['send']>[0]): Promise<void> {
    try {
      await this.#outgoing.send(message)
    } catch (cause) {
      if (cause instanceof SendRefusedError && isTooLarge(cause)) {
        throw new EventRefusedError('EVENT_TOO_LARGE', 'the event is larger than Kafka takes', { cause })
      }
      if (cause instanceof BufferFullError)
        throw new EventRefusedError('BROKER_BUSY', 'too many events wait for Kafka', { cause })
      throw new EventRefusedError('BROKER_NOT_READY', 'the event could not be stored', { cause })
    }
  }
}

function isTooLarge({ cause }: MessagingError): boolean {
  return cause instanceof Error && 'type' in cause && cause.type === 'MESSAGE_TOO_LARGE'
}
