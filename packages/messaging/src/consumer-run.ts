import type { Consumer, EachBatchPayload } from 'kafkajs'
import { atMost, withDeadline } from './deadline.ts'
import { CALL_RETRIES, type KafkaClient } from './kafka.ts'
import type { KafkaSession } from './kafka-session.ts'

const START_TIMEOUT_MS = 30_000
const SILENCE_LIMIT_MS = 30_000
const WATCH_EVERY_MS = 1000
const LEAVE_LIMIT_MS = 3000
const DISCONNECT_LIMIT_MS = 500

/** What a consumer may read since the last rebalance. */
export interface Assignment {
  readonly consumer: Consumer
  /** Stays the same over a rebalance as long as the group never forgot this member. */
  readonly memberId: string
  readonly partitions: readonly number[]
}

/** What a group member does with its partitions. */
export interface GroupReader {
  /** Called after every rebalance; the partitions are read when the promise has resolved, at once when there is none. */
  onAssigned(assignment: Assignment): Promise<void> | undefined
  /** Called while the old assignment is still valid for a commit. */
  onRebalancing?(): void
  onBatch(batch: EachBatchPayload): Promise<void>
}

interface ConsumerRunOptions {
  readonly kafka: KafkaClient
  readonly topic: string
  readonly groupId: string
  readonly fromBeginning: boolean
  readonly partitionsAtOnce: number
  readonly reader: GroupReader
  /** The partitions are about to be read; true when they shall stay paused. */
  onReading(partitions: readonly number[]): boolean
  onRebalancing(): void
  /** The group coordinator answered. */
  onContact(): void
}

/** One kafkajs consumer, from its start until it fails or is stopped. */
export interface ConsumerRun {
  /** Rejects when the consumer has failed; never resolves. */
  readonly failure: Promise<never>
  fail(reason: unknown): void
  /** Stops fetching; heartbeats go on. */
  pause(): void
  /** Leaves the group and cuts the connections. */
  stop(): Promise<void>
}

/** Starts a consumer. It has failed when kafkajs says so (retriable or not), when it does not start or falls silent. */
export function startConsumer(options: ConsumerRunOptions): ConsumerRun {
  const { topic, reader } = options
  const session = options.kafka.openSession()
  const consumer = createConsumer(session, options)
  const failure = Promise.withResolvers<never>()
  // It may fail while nobody waits for it.
  failure.promise.catch(() => undefined)
  let isOver = false
  let joins = 0
  let preparing: Promise<void> = Promise.resolve()
  let lastSignMs = Date.now()
  const watchdog = setInterval(() => {
    if (Date.now() - lastSignMs > SILENCE_LIMIT_MS) failure.reject(new Error('the consumer gave no sign of life'))
  }, WATCH_EVERY_MS)

  function hear(): void {
    lastSignMs = Date.now()
  }

  consumer.on(consumer.events.FETCH, hear)
  consumer.on(consumer.events.CRASH, ({ payload }) => failure.reject(payload.error))
  consumer.on(consumer.events.HEARTBEAT, () => {
    hear()
    options.onContact()
  })
  consumer.on(consumer.events.REBALANCING, () => {
    hear()
    if (isOver) return
    options.onRebalancing()
    reader.onRebalancing?.()
  })
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    hear()
    if (isOver) return
    options.onContact()
    joins += 1
    const join = joins
    const partitions = payload.memberAssignment[topic] ?? []
    const read = () => {
      if (isOver || join !== joins) return
      const staysPaused = options.onReading(partitions)
      if (!staysPaused) consumer.resume([{ topic, partitions: [...partitions] }])
    }
    // kafkajs emits this event before it fetches anything, so nothing is read too early.
    consumer.pause([{ topic, partitions: [...partitions] }])
    const work = reader.onAssigned({ consumer, memberId: payload.memberId, partitions })
    if (work === undefined) return read()
    preparing = preparing.then(() => work).then(read)
    preparing.catch(failure.reject)
  })

  async function start(): Promise<void> {
    await consumer.connect()
    await consumer.subscribe({ topics: [topic], fromBeginning: options.fromBeginning })
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: options.partitionsAtOnce,
      eachBatch: async (batch) => {
        if (!isOver) await reader.onBatch(batch)
      },
    })
  }

  withDeadline(start(), START_TIMEOUT_MS, 'joining the group').catch(failure.reject)
  return {
    failure: failure.promise,
    fail: failure.reject,
    pause() {
      // kafkajs refuses before it has joined; then onReading keeps the partitions paused.
      if (joins > 0) consumer.pause([{ topic }])
    },
    async stop() {
      isOver = true
      clearInterval(watchdog)
      await atMost(consumer.disconnect(), joins > 0 ? LEAVE_LIMIT_MS : DISCONNECT_LIMIT_MS)
      session.cut()
    },
  }
}

function createConsumer(session: KafkaSession, { kafka, groupId }: ConsumerRunOptions): Consumer {
  const { sessionTimeoutMs, rebalanceTimeoutMs, heartbeatIntervalMs } = kafka.groupTiming
  return session.kafkajs.consumer({
    groupId,
    sessionTimeout: sessionTimeoutMs,
    rebalanceTimeout: rebalanceTimeoutMs,
    heartbeatInterval: heartbeatIntervalMs,
    maxWaitTimeInMs: 500,
    maxBytes: 8 * 1024 * 1024,
    metadataMaxAge: 30_000,
    // A crashed consumer is replaced by a new one, so that every kind of crash takes the same way.
    retry: { ...CALL_RETRIES, restartOnFailure: () => Promise.resolve(false) },
  })
}
