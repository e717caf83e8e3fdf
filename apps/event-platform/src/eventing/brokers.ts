import { type CloudEvent, DEFAULT_BODY_LIMIT_BYTES, toKafkaMessage } from '@taproom/events'
import { type MessagingError, type OutgoingChannel, SendRefusedError } from '@taproom/messaging'
import { BrokerNotReadyError, EventTooLargeError, TtlExpiredError, UnknownBrokerError } from './errors.ts'
import { ttlAfterPass, withArrival } from './extensions.ts'

/** Which broker. */
export interface BrokerName {
  readonly namespace: string
  readonly name: string
}

/** A record holds the largest event a broker takes and its attributes, which in HTTP are headers of 16 KiB at most. */
export const MAX_RECORD_BYTES: number = DEFAULT_BODY_LIMIT_BYTES + 64 * 1024

/** Events taken and refused since the platform started. */
export interface BrokerCounters {
  readonly accepted: number
  readonly refused: number
}

/** The Kafka topic that keeps a broker's events. Names cannot hold dots, so two brokers never share one. */
export function brokerTopic({ namespace, name }: BrokerName): string {
  return `knative-broker.${namespace}.${name}`
}

/** The brokers that exist and whether each can take events; events go to Kafka before anybody is told they are accepted. */
export class Brokers {
  readonly #outgoing: OutgoingChannel
  readonly #now: () => Date
  readonly #ready = new Map<string, boolean>()
  #accepted = 0
  #refused = 0

  constructor(options: { readonly outgoing: OutgoingChannel; readonly now?: () => Date }) {
    this.#outgoing = options.outgoing
    this.#now = options.now ?? (() => new Date())
  }

  get counters(): BrokerCounters {
    return { accepted: this.#accepted, refused: this.#refused }
  }

  /** Says which brokers exist and which of them are ready. */
  set(broker: BrokerName, isReady: boolean): void {
    this.#ready.set(brokerTopic(broker), isReady)
  }

  delete(broker: BrokerName): void {
    this.#ready.delete(brokerTopic(broker))
  }

  has(broker: BrokerName): boolean {
    return this.#ready.has(brokerTopic(broker))
  }

  isReady(broker: BrokerName): boolean {
    return this.#ready.get(brokerTopic(broker)) === true
  }

  /**
   * Throws when the broker is missing or not ready.
   *
   * @throws {UnknownBrokerError | BrokerNotReadyError}
   */
  assertReady(broker: BrokerName): void {
    const isReady = this.#ready.get(brokerTopic(broker))
    if (isReady === undefined) throw new UnknownBrokerError(`there is no broker ${broker.namespace}/${broker.name}`)
    if (!isReady) throw new BrokerNotReadyError(`broker ${broker.namespace}/${broker.name} is not ready yet`)
  }

  /**
   * Takes an event; resolves once Kafka has it on all its replicas.
   *
   * @throws {EventRefusedError} saying why it was not taken
   */
  async accept(broker: BrokerName, event: CloudEvent, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    try {
      this.assertReady(broker)
      const ttl = ttlAfterPass(event)
      if (ttl <= 0) throw new TtlExpiredError('knativebrokerttl: the event has passed brokers too often')
      const message = toKafkaMessage(withArrival(event, { ttl, time: this.#now() }))
      await this.#store({ ...message, topic: brokerTopic(broker), headers: { ...headers, ...message.headers } })
      this.#accepted += 1
    } catch (error) {
      this.#refused += 1
      throw error
    }
  }

  async #store(message: Parameters<OutgoingChannel['send']>[0]): Promise<void> {
    try {
      await this.#outgoing.send(message)
    } catch (cause) {
      if (cause instanceof SendRefusedError && isTooLarge(cause)) {
        throw new EventTooLargeError('the event is larger than Kafka takes', { cause })
      }
      throw new BrokerNotReadyError('the event could not be stored', { cause })
    }
  }
}

function isTooLarge({ cause }: MessagingError): boolean {
  return cause instanceof Error && 'type' in cause && cause.type === 'MESSAGE_TOO_LARGE'
}
