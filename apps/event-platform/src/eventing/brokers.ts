import { type CloudEvent, toKafkaMessage } from '@taproom/events'
import { LIMITS } from '@taproom/limits'
import { visible } from '@taproom/lines'
import { BufferFullError, type MessagingError, type OutgoingChannel, SendRefusedError } from '@taproom/messaging'
import { type NamespacedName, nameText } from '../resources/namespaced-name.ts'
import { ByteBudget, type HeldBytes } from './byte-budget.ts'
import {
  BrokerBusyError,
  BrokerNotReadyError,
  EventTooLargeError,
  HeadersTooLargeError,
  TtlExpiredError,
  UnknownBrokerError,
} from './errors.ts'
import { ttlAfterPass, withArrival } from './extensions.ts'
import { tooMuchToCarry } from './pass-through-headers.ts'

/** A record holds the largest event a broker takes, its attributes and what travels along; the rest is for Kafka's own framing. */
export const MAX_RECORD_BYTES: number = LIMITS.structuredEventBytes + 64 * 1024

/** Enough for 64 of the largest events at once. */
export const DEFAULT_BUFFER_BYTES: number = 64 * LIMITS.eventDataBytes

/** Events taken and refused since the platform started. */
export interface BrokerCounters {
  readonly accepted: number
  readonly refused: number
}

/** The Kafka topic that keeps a broker's events. Names cannot hold dots, so two brokers never share one. */
export function brokerTopic({ namespace, name }: NamespacedName): string {
  return `knative-broker.${namespace}.${name}`
}

/** The brokers that exist and whether each can take events. An event is in Kafka before its sender gets the answer that it is accepted. */
export class Brokers {
  readonly #outgoing: OutgoingChannel
  readonly #now: () => Date
  readonly #ready = new Map<string, boolean>()
  readonly #budget: ByteBudget
  #accepted = 0
  #refused = 0

  constructor(options: {
    readonly outgoing: OutgoingChannel
    /** Bytes of events that are being taken over HTTP at once, at most; default 64 MiB. */
    readonly bufferBytes?: number
    readonly now?: () => Date
  }) {
    this.#outgoing = options.outgoing
    this.#budget = new ByteBudget(options.bufferBytes ?? DEFAULT_BUFFER_BYTES)
    this.#now = options.now ?? (() => new Date())
  }

  get counters(): BrokerCounters {
    return { accepted: this.#accepted, refused: this.#refused }
  }

  /** Bytes of the events that are being taken over HTTP right now. */
  get heldBytes(): number {
    return this.#budget.held
  }

  /** Says which brokers exist and which of them are ready. */
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
   * Throws when the broker is missing or not ready.
   *
   * @throws {UnknownBrokerError | BrokerNotReadyError}
   */
  assertReady(broker: NamespacedName): void {
    const isReady = this.#ready.get(brokerTopic(broker))
    if (isReady === undefined) throw new UnknownBrokerError(`there is no broker ${visible(nameText(broker), 200)}`)
    if (!isReady) throw new BrokerNotReadyError(`broker ${nameText(broker)} is not ready yet`)
  }

  /**
   * Makes room for an event that is about to be read, until what this returns is disposed of.
   *
   * @throws {BrokerBusyError} when there is none
   */
  hold(size: Parameters<ByteBudget['hold']>[0]): HeldBytes {
    return this.#budget.hold(size)
  }

  /**
   * Takes an event; resolves once Kafka has it on all its replicas.
   *
   * @throws {EventRefusedError} saying why it was not taken
   */
  async accept(
    broker: NamespacedName,
    event: CloudEvent,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    try {
      // The ingress has asked before it read the body; the broker may have gone while that came.
      this.assertReady(broker)
      const ttl = ttlAfterPass(event)
      if (ttl <= 0) throw new TtlExpiredError('knativebrokerttl: the event has passed brokers too often')
      const problem = tooMuchToCarry(headers)
      if (problem !== undefined) throw new HeadersTooLargeError(problem)
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
      if (cause instanceof BufferFullError) throw new BrokerBusyError('too many events wait for Kafka', { cause })
      throw new BrokerNotReadyError('the event could not be stored', { cause })
    }
  }
}

function isTooLarge({ cause }: MessagingError): boolean {
  return cause instanceof Error && 'type' in cause && cause.type === 'MESSAGE_TOO_LARGE'
}
