import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { EachBatchPayload } from 'kafkajs'
import { type AssignedPartition, createAssignedPartitions } from './assigned-partitions.ts'
import { atMost } from './deadline.ts'
import { createFailureHandler } from './failure-handler.ts'
import { joinGroup } from './group-member.ts'
import type { IncomingChannel, IncomingOptions } from './incoming-channel.ts'
import type { KafkaClient } from './kafka.ts'
import { fromKafkaRecord } from './kafka-message.ts'
import { keepAlive } from './keep-alive.ts'
import { memberCheck } from './member-check.ts'
import type { IncomingMessage } from './message.ts'
import { checkInteger, checkName } from './option-rules.ts'
import type { PartitionTracker } from './partition-tracker.ts'
import { createSlots } from './slots.ts'
import { createTopicAdmin } from './topic-admin.ts'

const COMMIT_LIMIT_MS = 3000
/** So long messages are handled in one turn of the event loop. */
const TURN_MS = 10
const ABORTED_HANDLER_LIMIT_MS = 500

/**
 * Opens an incoming channel. Returns at once; joins its group in the background and again after every failure.
 * Offsets are stored after `onMessage`, never beyond a message that is still in flight. When `concurrency` messages
 * are in flight nothing more is fetched, while heartbeats go on.
 * @throws {RangeError} on an invalid option
 */
export function openIncoming(kafka: KafkaClient, options: IncomingOptions): IncomingChannel {
  const { channel, from = 'latest', failureStrategy = 'fail', onMessage } = options
  const topic = checkName('topic', options.topic ?? channel)
  const groupId = checkName('groupId', options.groupId ?? `${kafka.clientId}-${channel}-${randomUUID()}`)
  const concurrency = checkInteger('concurrency', options.concurrency ?? 1, 1)
  const commitIntervalMs = checkInteger('commitIntervalMs', options.commitIntervalMs ?? 1000, 1)
  const graceMs = checkInteger('graceMs', options.graceMs ?? 5000, 0)
  const deadLetterTopic = checkName('deadLetterTopic', options.deadLetterTopic ?? `dead-letter-topic-${channel}`)

  const { heartbeatIntervalMs } = kafka.groupTiming
  const isOnlyReader = options.groupId === undefined
  const counts = { received: 0, acknowledged: 0, failed: 0 }
  const slots = createSlots(concurrency)
  const stopping = new AbortController()
  const expired = new AbortController()
  let stoppedBy: string | undefined
  let closing: Promise<void> | undefined

  const partitions = createAssignedPartitions({
    kafka,
    channel,
    topic,
    groupId,
    isOnlyReader,
    from,
    expired: expired.signal,
  })
  const failures = createFailureHandler({ kafka, channel, strategy: failureStrategy, deadLetterTopic, onStop })
  const member = joinGroup({
    kafka,
    channel,
    topic,
    groupId,
    fromBeginning: from === 'earliest',
    partitionsAtOnce: Math.min(concurrency, 8),
    onAssigned: (assignment) => partitions.assign(assignment),
    // Sent before the member joins again, so the next owner begins where this one stopped.
    onRebalancing: () => void partitions.commit(),
    onBatch,
  })
  let committing: Promise<void> | undefined
  const timer = setInterval(() => {
    // A slow Kafka is asked no faster than it answers.
    committing ??= partitions.commit().finally(() => {
      committing = undefined
    })
  }, commitIntervalMs)

  async function onBatch(payload: EachBatchPayload): Promise<void> {
    const entry = partitions.get(payload.batch.partition)
    if (entry === undefined) return
    // One signal for the batch: a signal for each message would stay with the long-lived ones it follows, and clearing those away
    // takes time by the square of their number.
    await keepAlive(payload.heartbeat, heartbeatIntervalMs, (broken) =>
      admitAll(payload, entry, AbortSignal.any([broken, stopping.signal, entry.tracker.lost.signal])),
    )
  }

  async function admitAll(payload: EachBatchPayload, entry: AssignedPartition, until: AbortSignal): Promise<void> {
    const { topic, partition, messages } = payload.batch
    const { tracker, signal } = entry
    let beatAt = Date.now()
    let turnAt = beatAt
    for (const record of messages) {
      if (!slots.tryAcquire() && !(await slots.acquire(until))) return
      if (until.aborted || payload.isStale() || !payload.isRunning()) {
        slots.release()
        return
      }
      payload.resolveOffset(record.offset)
      if (tracker.admit(BigInt(record.offset))) {
        void handle(fromKafkaRecord(topic, partition, record), tracker, signal)
      } else {
        slots.release()
      }
      const now = Date.now()
      if (now - beatAt > heartbeatIntervalMs / 2) {
        await payload.heartbeat()
        beatAt = now
      }
      // Handlers that wait for nothing must not keep the rest of the process waiting.
      if (now - turnAt > TURN_MS) {
        await setImmediate()
        turnAt = Date.now()
      }
    }
  }

  async function handle(message: IncomingMessage, tracker: PartitionTracker, signal: AbortSignal): Promise<void> {
    counts.received += 1
    if (await isDone(message, signal)) {
      tracker.acknowledge(BigInt(message.offset))
      counts.acknowledged += 1
    }
    slots.release()
  }

  /** Whether the message is done with; one that is not stays first in line for the next reader. Never rejects. */
  async function isDone(message: IncomingMessage, signal: AbortSignal): Promise<boolean> {
    try {
      await onMessage(message, signal)
      return true
    } catch (error) {
      // The handler gave up because it was told to.
      if (signal.aborted) return false
      counts.failed += 1
      return await failures.settle(message, error, signal)
    }
  }

  function onStop(reason: string): void {
    stoppedBy ??= reason
    void close()
  }

  function close(): Promise<void> {
    closing ??= shutDown()
    return closing
  }

  async function shutDown(): Promise<void> {
    stopping.abort()
    member.pause()
    await atMost(slots.idle(), graceMs)
    expired.abort()
    await atMost(slots.idle(), ABORTED_HANDLER_LIMIT_MS)
    clearInterval(timer)
    // First the request under way: one that is tried again must not come after the last one.
    await atMost(committing ?? Promise.resolve(), COMMIT_LIMIT_MS)
    await atMost(partitions.commit(), COMMIT_LIMIT_MS)
    await member.close()
    await failures[Symbol.asyncDispose]()
    if (isOnlyReader && member.heartbeatAtMs > 0) await forgetGroup()
  }

  /** Best effort: Kafka itself forgets an empty group after its retention. */
  async function forgetGroup(): Promise<void> {
    await using admin = createTopicAdmin(kafka, { timeoutMs: 1500 })
    await admin.deleteGroup(groupId).catch((error: unknown) => {
      kafka.log.debug({ channel, groupId, err: error }, 'kafka group not deleted')
    })
  }

  const name = `Kafka incoming channel ${channel}`
  return {
    groupId,
    assigned: member.assigned,
    check: memberCheck(name, member, kafka.groupTiming),
    liveness: {
      name,
      check: () => (stoppedBy === undefined ? { status: 'UP' } : { status: 'DOWN', data: { reason: stoppedBy } }),
    },
    get counters() {
      return { ...counts, deadLettered: failures.deadLettered, restarts: member.restarts }
    },
    [Symbol.asyncDispose]: close,
  }
}
