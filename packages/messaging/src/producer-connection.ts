import type { Producer } from 'kafkajs'
import { createBackOff } from './back-off.ts'
import { atMost, withDeadline } from './deadline.ts'
import type { KafkaClient } from './kafka.ts'
import { createPartitioner } from './partitioner.ts'

const CONNECT_LIMIT_MS = 5000
const DISCONNECT_LIMIT_MS = 2000
const PROBE_LIMIT_MS = 1500
const CONTACT_FRESH_MS = 5000

/** A producer that is connected in the background and replaced when it is lost. */
export interface ProducerConnection {
  /** undefined while there is no connection. */
  readonly producer: Producer | undefined
  /** Kafka has just answered this producer. */
  confirmed(): void
  /** Gives a producer up that failed; a new one is built. */
  lost(producer: Producer, reason: unknown): void
  /** Whether Kafka answers: known from the last 5 s, else asked. Takes 1.5 s at most. */
  isReachable(): Promise<boolean>
  close(): Promise<void>
}

interface ProducerConnectionOptions {
  readonly kafka: KafkaClient
  readonly channel: string
  onConnected(): void
}

/** Connects at once and for as long as it takes, with waits of 200 ms to 3 s. */
export function connectProducer(options: ProducerConnectionOptions): ProducerConnection {
  const { kafka, channel, onConnected } = options
  const closing = new AbortController()
  const backOff = createBackOff()
  let producer: Producer | undefined
  let contactAtMs = 0
  let probing: Promise<boolean> | undefined

  async function connect(): Promise<void> {
    let reported = false
    while (!closing.signal.aborted) {
      const candidate = kafka.kafkajs.producer({
        createPartitioner,
        maxInFlightRequests: 1,
        metadataMaxAge: 30_000,
        retry: { retries: 2 },
      })
      try {
        await withDeadline(candidate.connect(), CONNECT_LIMIT_MS, 'connecting the producer')
        if (closing.signal.aborted) return await atMost(candidate.disconnect(), DISCONNECT_LIMIT_MS)
        producer = candidate
        contactAtMs = Date.now()
        backOff.reset()
        kafka.log.info({ channel }, 'kafka producer connected')
        onConnected()
        return
      } catch (error) {
        void atMost(candidate.disconnect(), DISCONNECT_LIMIT_MS)
        const fields = { channel, reason: error instanceof Error ? error.message : String(error) }
        if (reported) kafka.log.debug(fields, 'kafka producer cannot connect, trying again')
        else kafka.log.warn(fields, 'kafka producer cannot connect, trying again')
        reported = true
        await backOff.wait(closing.signal)
      }
    }
  }

  void connect()

  function lost(failed: Producer, reason: unknown): void {
    if (failed !== producer) return
    producer = undefined
    kafka.log.warn(
      { channel, reason: reason instanceof Error ? reason.message : String(reason) },
      'kafka producer lost',
    )
    void atMost(failed.disconnect(), DISCONNECT_LIMIT_MS)
    void connect()
  }

  async function probe(): Promise<boolean> {
    const asked = producer
    const admin = kafka.kafkajs.admin({ retry: { retries: 0 } })
    try {
      await withDeadline(admin.connect(), PROBE_LIMIT_MS, 'asking kafka')
      contactAtMs = Date.now()
      return true
    } catch (error) {
      if (asked !== undefined) lost(asked, error)
      return false
    } finally {
      void atMost(admin.disconnect(), DISCONNECT_LIMIT_MS)
    }
  }

  return {
    get producer() {
      return producer
    },
    confirmed() {
      contactAtMs = Date.now()
    },
    lost,
    async isReachable() {
      if (producer === undefined) return false
      if (Date.now() - contactAtMs < CONTACT_FRESH_MS) return true
      probing ??= probe().finally(() => {
        probing = undefined
      })
      return await probing
    },
    async close() {
      closing.abort()
      const last = producer
      producer = undefined
      // An attempt under way ends by itself: nothing is lost by not waiting for it.
      if (last !== undefined) await atMost(last.disconnect(), DISCONNECT_LIMIT_MS)
    },
  }
}
