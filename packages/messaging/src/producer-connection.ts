import type { Producer } from 'kafkajs'
import { createBackOff } from './back-off.ts'
import { atMost, withDeadline } from './deadline.ts'
import type { KafkaClient } from './kafka.ts'
import type { KafkaSession } from './kafka-session.ts'
import { createPartitioner } from './partitioner.ts'

const CONNECT_LIMIT_MS = 5000
const DISCONNECT_LIMIT_MS = 500
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

interface Link {
  readonly session: KafkaSession
  readonly producer: Producer
}

/** Connects at once and for as long as it takes, with waits of 200 ms to 3 s. */
export function connectProducer(options: ProducerConnectionOptions): ProducerConnection {
  const { kafka, channel, onConnected } = options
  const closing = new AbortController()
  const backOff = createBackOff()
  let current: Link | undefined
  /** Being connected, to be cut when the channel is closed meanwhile. */
  let candidate: Link | undefined
  let contactAtMs = 0
  let probing: Promise<boolean> | undefined

  async function connect(): Promise<void> {
    let isReported = false
    while (!closing.signal.aborted) {
      const link = openProducer(kafka)
      candidate = link
      try {
        await withDeadline(link.producer.connect(), CONNECT_LIMIT_MS, 'connecting the producer')
        if (closing.signal.aborted) return link.session.cut()
        current = link
        contactAtMs = Date.now()
        backOff.reset()
        kafka.log.info({ channel }, 'kafka producer connected')
        onConnected()
        return
      } catch (error) {
        link.session.cut()
        if (closing.signal.aborted) return
        const fields = { channel, reason: reasonOf(error) }
        if (isReported) kafka.log.debug(fields, 'kafka producer cannot connect, trying again')
        else kafka.log.warn(fields, 'kafka producer cannot connect, trying again')
        isReported = true
        await backOff.wait(closing.signal)
      }
    }
  }

  function lost(failed: Producer, reason: unknown): void {
    if (current?.producer !== failed) return
    kafka.log.warn({ channel, reason: reasonOf(reason) }, 'kafka producer lost')
    void disconnect(current)
    current = undefined
    void connect()
  }

  async function probe(): Promise<boolean> {
    const asked = current?.producer
    const session = kafka.openSession()
    const admin = session.kafkajs.admin({ retry: { retries: 0 } })
    try {
      await withDeadline(admin.connect(), PROBE_LIMIT_MS, 'asking kafka')
      contactAtMs = Date.now()
      return true
    } catch (error) {
      if (asked !== undefined) lost(asked, error)
      return false
    } finally {
      void atMost(admin.disconnect(), DISCONNECT_LIMIT_MS).then(() => session.cut())
    }
  }

  void connect()
  return {
    get producer() {
      return current?.producer
    },
    confirmed() {
      contactAtMs = Date.now()
    },
    lost,
    async isReachable() {
      if (current === undefined) return false
      if (Date.now() - contactAtMs < CONTACT_FRESH_MS) return true
      probing ??= probe().finally(() => {
        probing = undefined
      })
      return await probing
    },
    async close() {
      closing.abort()
      const last = current
      current = undefined
      if (last !== undefined) await disconnect(last)
      else candidate?.session.cut()
    },
  }
}

function openProducer(kafka: KafkaClient): Link {
  const session = kafka.openSession()
  const producer = session.kafkajs.producer({
    createPartitioner,
    maxInFlightRequests: 1,
    metadataMaxAge: 30_000,
    retry: { retries: 2 },
  })
  return { session, producer }
}

async function disconnect({ session, producer }: Link): Promise<void> {
  await atMost(producer.disconnect(), DISCONNECT_LIMIT_MS)
  session.cut()
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
