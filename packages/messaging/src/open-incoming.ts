import { randomUUID } from 'node:crypto'
import type { Consumer, EachBatchPayload } from 'kafkajs'
import { createBackOff } from './back-off.ts'
import { sendToDeadLetters } from './dead-letter.ts'
import { atMost } from './deadline.ts'
import { type Assignment, joinGroup } from './group-member.ts'
import type { IncomingChannel, IncomingOptions } from './incoming-channel.ts'
import type { KafkaClient } from './kafka.ts'
import { fromKafkaRecord } from './kafka-message.ts'
import { keepAlive } from './keep-alive.ts'
import { memberCheck } from './member-check.ts'
import type { IncomingMessage } from './message.ts'
import { openOutgoing } from './open-outgoing.ts'
import { checkInteger, checkName } from './option-rules.ts'
import { createPartitionTracker, type PartitionTracker } from './partition-tracker.ts'
import { createSlots } from './slots.ts'
import { createTopicAdmin, storeEndOffsets } from './topic-admin.ts'

const COMMIT_LIMIT_MS = 3000
const ABORTED_HANDLER_LIMIT_MS = 500

/**
 * Opens an incoming channel. Returns at once; joins its group in the background and again after every failure.
 * Offsets are stored after `onMessage`, never beyond a message that is still in flight.
 * @throws {RangeError} on an invalid option
 */
export function openIncoming(kafka: KafkaClient, options: IncomingOptions): IncomingChannel {
  const { channel, from = 'latest', failureStrategy = 'fail', onMessage } = options
  const { log } = kafka
  const topic = checkName('topic', options.topic ?? channel)
  const groupId = checkName('groupId', options.groupId ?? `${kafka.clientId}-${channel}-${randomUUID()}`)
  const concurrency = checkInteger('concurrency', options.concurrency ?? 1, 1)
  const commitIntervalMs = checkInteger('commitIntervalMs', options.commitIntervalMs ?? 1000, 1)
  const graceMs = checkInteger('graceMs', options.graceMs ?? 5000, 0)
  const deadLetterTopic = checkName('deadLetterTopic', options.deadLetterTopic ?? `dead-letter-topic-${channel}`)

  const counts = { received: 0, acknowledged: 0, failed: 0, deadLettered: 0 }
  const slots = createSlots(concurrency)
  const stopping = new AbortController()
  const expired = new AbortController()
  const partitions = new Map<number, { tracker: PartitionTracker; signal: AbortSignal }>()
  let owner: { memberId: string; consumer: Consumer } | undefined
  let committing: Promise<void> | undefined
  let failure: { readonly reason: string } | undefined
  let closing: Promise<void> | undefined

  const deadLetters =
    failureStrategy === 'dead-letter-queue'
      ? openOutgoing(kafka, { channel: `${channel}-dead-letters`, topic: deadLetterTopic })
      : undefined
  const member = joinGroup({
    kafka,
    channel,
    topic,
    groupId,
    fromBeginning: from === 'earliest',
    partitionsAtOnce: Math.min(concurrency, 8),
    onAssigned,
    // Sent before the member joins again, so the next owner begins where this one stopped.
    onRebalancing: () => void commit(),
    onBatch,
  })
  const timer = setInterval(() => void commit(), commitIntervalMs)

  function onAssigned({ consumer, memberId, partitions: assigned }: Assignment): Promise<void> | undefined {
    // The same member id means that nobody else read these partitions meanwhile: what is in flight stays valid.
    const isSameMember = owner?.memberId === memberId
    owner = { memberId, consumer }
    for (const [partition, { tracker }] of partitions) {
      if (isSameMember && assigned.includes(partition)) continue
      tracker.lost.abort()
      partitions.delete(partition)
    }
    const fresh = assigned.filter((partition) => !partitions.has(partition))
    for (const partition of fresh) {
      const tracker = createPartitionTracker()
      partitions.set(partition, { tracker, signal: AbortSignal.any([tracker.lost.signal, expired.signal]) })
    }
    return from === 'latest' && fresh.length > 0 ? beginAtEnd(consumer, fresh) : undefined
  }

  /** Fixes where "latest" is, once: otherwise what is written while this reader is away would never be read. */
  async function beginAtEnd(consumer: Consumer, fresh: readonly number[]): Promise<void> {
    await using admin = createTopicAdmin(kafka)
    await storeEndOffsets(admin, consumer, groupId, topic, fresh)
  }

  async function onBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload
    const entry = partitions.get(batch.partition)
    if (entry === undefined) return
    let beatAt = Date.now()
    for (const record of batch.messages) {
      if (!slots.tryAcquire()) {
        const isFree = await keepAlive(payload.heartbeat, (signal) =>
          slots.acquire(AbortSignal.any([signal, stopping.signal, entry.tracker.lost.signal])),
        )
        if (!isFree) return
      }
      if (stopping.signal.aborted || entry.tracker.lost.signal.aborted || payload.isStale() || !payload.isRunning()) {
        slots.release()
        return
      }
      payload.resolveOffset(record.offset)
      if (entry.tracker.admit(BigInt(record.offset))) {
        void handle(fromKafkaRecord(batch.topic, batch.partition, record), entry.tracker, entry.signal)
      } else {
        slots.release()
      }
      if (Date.now() - beatAt > 500) {
        await payload.heartbeat()
        beatAt = Date.now()
      }
    }
  }

  async function handle(message: IncomingMessage, tracker: PartitionTracker, signal: AbortSignal): Promise<void> {
    counts.received += 1
    try {
      const isAcknowledged = await attempt(message, signal)
      if (!isAcknowledged) return
      tracker.acknowledge(BigInt(message.offset))
      counts.acknowledged += 1
    } finally {
      slots.release()
    }
  }

  /** Whether the message is done with; a message that is not stays first in line for the next reader. */
  async function attempt(message: IncomingMessage, signal: AbortSignal): Promise<boolean> {
    try {
      await onMessage(message, signal)
      return true
    } catch (error) {
      // The handler gave up because it was told to.
      if (signal.aborted) return false
      counts.failed += 1
      return await settleFailure(message, error, signal)
    }
  }

  async function settleFailure(message: IncomingMessage, error: unknown, signal: AbortSignal): Promise<boolean> {
    const fields = { channel, topic, partition: message.partition, offset: message.offset, err: error }
    if (deadLetters !== undefined) {
      const backOff = createBackOff()
      while (!signal.aborted) {
        try {
          await sendToDeadLetters(deadLetters, message, error)
          counts.deadLettered += 1
          log.warn(fields, 'kafka message sent to the dead-letter topic')
          return true
        } catch (cause) {
          log.warn({ channel, err: cause }, 'dead-letter topic not reachable, trying again')
          await backOff.wait(signal)
        }
      }
      return false
    }
    if (failureStrategy === 'ignore') {
      log.warn(fields, 'kafka message failed, ignored')
      return true
    }
    if (failure === undefined) {
      failure = { reason: error instanceof Error ? error.message : String(error) }
      log.error(fields, 'kafka message failed, the channel stops')
      stopping.abort()
      void close()
    }
    return false
  }

  async function commit(): Promise<void> {
    committing ??= storeOffsets().finally(() => {
      committing = undefined
    })
    await committing
  }

  async function storeOffsets(): Promise<void> {
    const consumer = owner?.consumer
    const due = [...partitions].flatMap(([partition, { tracker }]) => {
      const offset = tracker.pending()
      return offset === undefined ? [] : [{ partition, offset, tracker }]
    })
    if (consumer === undefined || due.length === 0) return
    try {
      await consumer.commitOffsets(due.map(({ partition, offset }) => ({ topic, partition, offset: String(offset) })))
      for (const { tracker, offset } of due) tracker.stored(offset)
    } catch (error) {
      // Tried again at the next interval, or by the partition's next owner.
      log.debug({ channel, err: error }, 'kafka offsets not stored')
    }
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
    await atMost(committing ?? Promise.resolve(), COMMIT_LIMIT_MS)
    await atMost(commit(), COMMIT_LIMIT_MS)
    await member.close()
    await deadLetters?.[Symbol.asyncDispose]()
    if (options.groupId === undefined) await forgetGroup()
  }

  /** Best effort: Kafka itself forgets an empty group after its retention. */
  async function forgetGroup(): Promise<void> {
    await using admin = createTopicAdmin(kafka, { timeoutMs: 1500 })
    await admin.deleteGroup(groupId).catch((error: unknown) => {
      log.debug({ channel, groupId, err: error }, 'kafka group not deleted')
    })
  }

  const name = `Kafka incoming channel ${channel}`
  return {
    groupId,
    assigned: member.assigned,
    check: memberCheck(name, member),
    liveness: {
      name,
      check: () => (failure === undefined ? { status: 'UP' } : { status: 'DOWN', data: { reason: failure.reason } }),
    },
    get counters() {
      return { ...counts, restarts: member.restarts }
    },
    [Symbol.asyncDispose]: close,
  }
}
