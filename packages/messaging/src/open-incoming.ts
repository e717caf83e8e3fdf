import { randomUUID } from 'node:crypto'
import type { EachBatchPayload } from 'kafkajs'
import { createAssignedPartitions } from './assigned-partitions.ts'
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
  const timer = setInterval(() => void partitions.commit(), commitIntervalMs)

  async function onBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload
    const entry = partitions.get(batch.partition)
    if (entry === undefined) return
    const { tracker, signal } = entry
    let beatAt = Date.now()
    for (const record of batch.messages) {
      if (!slots.tryAcquire()) {
        const isFree = await keepAlive(payload.heartbeat, heartbeatIntervalMs, (broken) =>
          slots.acquire(AbortSignal.any([broken, stopping.signal, tracker.lost.signal])),
        )
        if (!isFree) return
      }
      if (stopping.signal.aborted || tracker.lost.signal.aborted || payload.isStale() || !payload.isRunning()) {
        slots.release()
        return
      }
      payload.resolveOffset(record.offset)
      if (tracker.admit(BigInt(record.offset))) {
        void handle(fromKafkaRecord(batch.topic, batch.partition, record), tracker, signal)
      } else {
        slots.release()
      }
      if (Date.now() - beatAt > heartbeatIntervalMs / 2) {
        await payload.heartbeat()
        beatAt = Date.now()
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
    // Twice: a request under way does not have the last acknowledgements.
    await atMost(partitions.commit(), COMMIT_LIMIT_MS)
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
