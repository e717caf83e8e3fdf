import type { Consumer, EachBatchPayload } from 'kafkajs'
import { createBackOff } from './back-off.ts'
import { atMost, withDeadline } from './deadline.ts'
import { CALL_RETRIES, type KafkaClient } from './kafka.ts'

/** A member that is silent for so long is taken for dead; 6 s is the shortest that Kafka allows by default. */
export const SESSION_TIMEOUT_MS = 6000
/** A rebalance ends after this, whoever has not come back. */
export const REBALANCE_TIMEOUT_MS = 10_000
export const HEARTBEAT_INTERVAL_MS = 1000

const START_TIMEOUT_MS = 30_000
const SILENCE_LIMIT_MS = 30_000
const LEAVE_LIMIT_MS = 3000
const DISCONNECT_LIMIT_MS = 500

/** What this member may read since the last rebalance. */
export interface Assignment {
  readonly consumer: Consumer
  /** Stays the same over a rebalance as long as the group never forgot this member. */
  readonly memberId: string
  readonly partitions: readonly number[]
}

export type MemberState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'assigned'; readonly partitions: number }
  | { readonly phase: 'rebalancing'; readonly sinceMs: number }
  | { readonly phase: 'closed' }

interface GroupMemberOptions {
  readonly kafka: KafkaClient
  readonly channel: string
  readonly topic: string
  readonly groupId: string
  readonly fromBeginning: boolean
  /** Batches of different partitions handled at the same time. */
  readonly partitionsAtOnce: number
  /** Called after every rebalance; the partitions are read when the promise has resolved, at once when there is none. */
  onAssigned(assignment: Assignment): Promise<void> | undefined
  /** Called while the old assignment is still valid for a commit. */
  onRebalancing?(): void
  onBatch(batch: EachBatchPayload): Promise<void>
}

/** A member of a consumer group that outlives every failure of its consumer. */
export interface GroupMember {
  /** Resolves at the first assignment. */
  readonly assigned: Promise<void>
  readonly state: MemberState
  /** When the group coordinator last answered, milliseconds since the epoch. */
  readonly heartbeatAtMs: number
  readonly restarts: number
  /** Gives the present consumer up and builds a new one. */
  rebuild(reason: unknown): void
  /** Stops fetching; heartbeats go on. */
  pause(): void
  /** Leaves the group. Takes a few seconds at most. */
  close(): Promise<void>
}

/**
 * Joins a consumer group in the background and stays in it: a kafkajs consumer that crashes (retriable or not), or
 * gives no sign of life for 30 s, is replaced by a new one, with waits of 200 ms to 3 s.
 */
export function joinGroup(options: GroupMemberOptions): GroupMember {
  const { kafka, channel, topic, groupId } = options
  const closing = new AbortController()
  const closed = new Promise<void>((resolve) => closing.signal.addEventListener('abort', () => resolve()))
  const firstAssignment = Promise.withResolvers<void>()
  const backOff = createBackOff()
  let state: MemberState = { phase: 'connecting' }
  let heartbeatAtMs = 0
  let restarts = 0
  let paused = false
  let current: { readonly consumer: Consumer; readonly fail: (reason: unknown) => void } | undefined

  async function supervise(): Promise<void> {
    let reported = false
    while (!closing.signal.aborted) {
      try {
        await runConsumer(() => {
          reported = false
        })
      } catch (error) {
        restarts += 1
        const fields = { channel, groupId, reason: error instanceof Error ? error.message : String(error) }
        if (reported) kafka.log.debug(fields, 'kafka consumer failed, trying again')
        else kafka.log.warn(fields, 'kafka consumer failed, trying again')
        reported = true
        await backOff.wait(closing.signal)
      }
    }
    state = { phase: 'closed' }
  }

  /** One kafkajs consumer from its start until it fails or the member is closed. */
  async function runConsumer(onStable: () => void): Promise<void> {
    const over = new AbortController()
    const failure = Promise.withResolvers<never>()
    // Also rejected while nobody waits for it.
    failure.promise.catch(() => undefined)
    const session = kafka.openSession()
    const consumer = session.kafkajs.consumer({
      groupId,
      sessionTimeout: SESSION_TIMEOUT_MS,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      heartbeatInterval: HEARTBEAT_INTERVAL_MS,
      maxWaitTimeInMs: 500,
      maxBytes: 8 * 1024 * 1024,
      metadataMaxAge: 30_000,
      // A crashed consumer is replaced here, so that every kind of crash takes the same way.
      retry: { ...CALL_RETRIES, restartOnFailure: () => Promise.resolve(false) },
    })
    current = { consumer, fail: failure.reject }

    let lastSignMs = Date.now()
    const alive = () => {
      lastSignMs = Date.now()
    }
    const watchdog = setInterval(() => {
      if (Date.now() - lastSignMs > SILENCE_LIMIT_MS) failure.reject(new Error('the consumer gave no sign of life'))
    }, 1000)

    let joins = 0
    let preparing: Promise<void> = Promise.resolve()
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      if (over.signal.aborted) return
      alive()
      heartbeatAtMs = Date.now()
      joins += 1
      const join = joins
      const partitions = payload.memberAssignment[topic] ?? []
      const start = () => {
        if (over.signal.aborted || join !== joins) return
        if (!paused) consumer.resume([{ topic, partitions: [...partitions] }])
        state = { phase: 'assigned', partitions: partitions.length }
        backOff.reset()
        onStable()
        firstAssignment.resolve()
        kafka.log.info({ channel, groupId, partitions }, 'kafka partitions assigned')
      }
      // Paused before the first fetch: kafkajs emits this event before it fetches from the new assignment.
      consumer.pause([{ topic, partitions: [...partitions] }])
      const previous = preparing
      const work = options.onAssigned({ consumer, memberId: payload.memberId, partitions })
      if (work === undefined) return start()
      preparing = previous.then(() => work).then(start)
      preparing.catch(failure.reject)
    })
    consumer.on(consumer.events.REBALANCING, () => {
      if (over.signal.aborted) return
      alive()
      if (state.phase === 'assigned') state = { phase: 'rebalancing', sinceMs: Date.now() }
      options.onRebalancing?.()
    })
    consumer.on(consumer.events.HEARTBEAT, () => {
      alive()
      heartbeatAtMs = Date.now()
    })
    consumer.on(consumer.events.FETCH, alive)
    consumer.on(consumer.events.CRASH, ({ payload }) => failure.reject(payload.error))

    const start = async () => {
      await consumer.connect()
      await consumer.subscribe({ topics: [topic], fromBeginning: options.fromBeginning })
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: options.partitionsAtOnce,
        eachBatch: async (batch) => {
          if (!over.signal.aborted) await options.onBatch(batch)
        },
      })
    }
    try {
      await Promise.race([withDeadline(start(), START_TIMEOUT_MS, 'joining the group'), failure.promise, closed])
      await Promise.race([failure.promise, closed])
    } finally {
      over.abort()
      clearInterval(watchdog)
      const isMember = state.phase !== 'connecting'
      state = { phase: 'connecting' }
      await atMost(consumer.disconnect(), isMember ? LEAVE_LIMIT_MS : DISCONNECT_LIMIT_MS)
      session.cut()
    }
  }

  const ended = supervise()
  return {
    assigned: firstAssignment.promise,
    get state() {
      return state
    },
    get heartbeatAtMs() {
      return heartbeatAtMs
    },
    get restarts() {
      return restarts
    },
    rebuild(reason) {
      current?.fail(reason)
    },
    pause() {
      paused = true
      if (state.phase === 'assigned' || state.phase === 'rebalancing') current?.consumer.pause([{ topic }])
    },
    async close() {
      closing.abort()
      await ended
    },
  }
}
