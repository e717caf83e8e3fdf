import { createBackOff } from './back-off.ts'
import { type ConsumerRun, type GroupReader, startConsumer } from './consumer-run.ts'
import type { KafkaClient } from './kafka.ts'

/** Where a member stands. */
export type MemberState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'assigned'; readonly partitions: number }
  | { readonly phase: 'rebalancing'; readonly sinceMs: number }
  | { readonly phase: 'closed' }

interface GroupMemberOptions extends GroupReader {
  readonly kafka: KafkaClient
  readonly channel: string
  readonly topic: string
  readonly groupId: string
  readonly fromBeginning: boolean
  /** Batches of different partitions handled at the same time. */
  readonly partitionsAtOnce: number
}

/** A member of a consumer group that outlives every failure of its consumer. */
export interface GroupMember {
  /** Resolves at the first assignment. */
  readonly assigned: Promise<void>
  readonly state: MemberState
  /** When the group coordinator last answered, milliseconds since the epoch; 0 before its first answer. */
  readonly heartbeatAtMs: number
  readonly restarts: number
  /** Gives the present consumer up and builds a new one. */
  rebuild(reason: unknown): void
  /** Stops fetching; heartbeats go on. */
  pause(): void
  /** Leaves the group. Takes three seconds at most. */
  close(): Promise<void>
}

/**
 * Joins a consumer group in the background and stays in it: a kafkajs consumer that fails is replaced by a new one,
 * with waits of 200 ms to 3 s.
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
  let isPaused = false
  let isReported = false
  let current: ConsumerRun | undefined

  async function supervise(): Promise<void> {
    while (!closing.signal.aborted) {
      current = start()
      try {
        await Promise.race([current.failure, closed])
      } catch (error) {
        restarts += 1
        report(error)
      }
      state = { phase: 'connecting' }
      await current.stop()
      await backOff.wait(closing.signal)
    }
    state = { phase: 'closed' }
  }

  function start(): ConsumerRun {
    return startConsumer({
      kafka,
      topic,
      groupId,
      fromBeginning: options.fromBeginning,
      partitionsAtOnce: options.partitionsAtOnce,
      reader: options,
      onReading(partitions) {
        state = { phase: 'assigned', partitions: partitions.length }
        backOff.reset()
        isReported = false
        firstAssignment.resolve()
        kafka.log.info({ channel, groupId, partitions }, 'kafka partitions assigned')
        return isPaused
      },
      onRebalancing() {
        if (state.phase === 'assigned') state = { phase: 'rebalancing', sinceMs: Date.now() }
      },
      onContact() {
        heartbeatAtMs = Date.now()
      },
    })
  }

  /** Once for each outage. */
  function report(error: unknown): void {
    const fields = { channel, groupId, reason: error instanceof Error ? error.message : String(error) }
    if (isReported) kafka.log.debug(fields, 'kafka consumer failed, trying again')
    else kafka.log.warn(fields, 'kafka consumer failed, trying again')
    isReported = true
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
      isPaused = true
      current?.pause()
    },
    async close() {
      closing.abort()
      await ended
    },
  }
}
