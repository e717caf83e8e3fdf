import { reasonOf } from '@taproom/core/lines'
import { createBackOff, createOutage, withDeadline } from '@taproom/core/time'
import type { Producer } from '@taproom/kafkajs'
import { type KafkaClient, RETRY_WAITS } from '../kafka/client.ts'
import { openProducer, type ProducerLink } from '../kafka/producer-link.ts'
import { endSession, type KafkaSession } from '../kafka/session.ts'

const CONNECT_LIMIT_MS = 5000
const PROBE_LIMIT_MS = 1500
const REQUEST_LIMIT_MS = 400
/** How long Kafka counts as reachable after an answer, in ms. */
const CONTACT_FRESH_MS = 5000

interface ProducerConnectionOptions {
  readonly kafka: KafkaClient
  readonly channel: string
  onConnected(): void
}

type State =
  /** The link of the current attempt, or of the last one that failed. */
  | { readonly kind: 'connecting'; readonly link?: ProducerLink }
  | { readonly kind: 'connected'; readonly link: ProducerLink; contactAtMs: number }
  | { readonly kind: 'closed' }

/**
 * A producer that connects in the background and is replaced when its connection is lost. It retries without a limit, with waits of 200 ms
 * to 3 s.
 */
export class ProducerConnection {
  readonly #options: ProducerConnectionOptions
  readonly #closing = new AbortController()
  readonly #backOff = createBackOff(RETRY_WAITS)
  #state: State = { kind: 'connecting' }
  #failure: string | undefined
  #probing: Promise<boolean> | undefined

  constructor(options: ProducerConnectionOptions) {
    this.#options = options
    void this.#connect()
  }

  /** Undefined while there is no connection. */
  get producer(): Producer | undefined {
    return this.#state.kind === 'connected' ? this.#state.link.producer : undefined
  }

  /** Why there is no connection; undefined while there is one, and before the first attempt has ended. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** Notes that Kafka has just answered. */
  confirmed(): void {
    if (this.#state.kind === 'connected') this.#state.contactAtMs = Date.now()
  }

  /**
   * Replaces a producer that failed; does nothing when it has been replaced already. `asked` is the session that failed, if it was another
   * than the producer's.
   */
  lost(failed: Producer, reason: unknown, asked?: KafkaSession): void {
    if (this.#state.kind !== 'connected' || this.#state.link.producer !== failed) return
    const { kafka, channel } = this.#options
    const { session, producer } = this.#state.link
    this.#failure = (asked ?? session).refusal(reason) ?? reasonOf(reason)
    kafka.log.warn({ channel, reason: this.#failure }, 'kafka producer lost')
    void endSession(session, producer)
    this.#state = { kind: 'connecting' }
    void this.#connect()
  }

  /** Whether Kafka has answered within the last 5 s, or answers a probe within 2 s. */
  async isReachable(): Promise<boolean> {
    if (this.#state.kind !== 'connected') return false
    if (Date.now() - this.#state.contactAtMs < CONTACT_FRESH_MS) return true
    this.#probing ??= this.#probe(this.#state.link.producer).finally(() => {
      this.#probing = undefined
    })
    return await this.#probing
  }

  async close(): Promise<void> {
    const last = this.#state
    this.#state = { kind: 'closed' }
    this.#closing.abort()
    if (last.kind === 'connected') await endSession(last.link.session, last.link.producer)
    else if (last.kind === 'connecting') last.link?.session.cut()
  }

  async #connect(): Promise<void> {
    const { kafka, channel, onConnected } = this.#options
    const { signal } = this.#closing
    const outage = createOutage(kafka.log, 'kafka producer cannot connect, trying again')
    while (!signal.aborted) {
      const link = openProducer(kafka, { retry: { retries: 2 } })
      this.#state = { kind: 'connecting', link }
      try {
        await withDeadline(link.producer.connect(), CONNECT_LIMIT_MS, 'connecting the producer')
        if (signal.aborted) return link.session.cut()
        this.#state = { kind: 'connected', link, contactAtMs: 0 }
        this.#backOff.reset()
        this.#failure = undefined
        kafka.log.info({ channel }, 'kafka producer connected')
        onConnected()
        return
      } catch (error) {
        this.#failure = link.session.refusal(error) ?? reasonOf(error)
        link.session.cut()
        if (signal.aborted) return
        outage.failed({ channel, reason: this.#failure })
        await this.#backOff.wait(signal)
      }
    }
  }

  /** Uses its own connection, so that the answer does not wait behind what the producer writes. */
  async #probe(asked: Producer): Promise<boolean> {
    const session = this.#options.kafka.openSession()
    const admin = session.kafkajs.admin({ retry: { retries: 0 } })
    try {
      await withDeadline(admin.connect(), PROBE_LIMIT_MS, 'asking kafka')
      // A port for SASL answers a client without it as it connects, but then nothing that it asks. Other failures are those of one broker.
      const answer = await withDeadline(admin.describeCluster(), REQUEST_LIMIT_MS, 'asking kafka').catch(
        (error: unknown) => error,
      )
      if (session.refusal(answer) !== undefined) throw answer
      this.confirmed()
      return true
    } catch (error) {
      this.lost(asked, error, session)
      return false
    } finally {
      void endSession(session, admin)
    }
  }
}
