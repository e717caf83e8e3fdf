import { randomUUID } from 'node:crypto'
import type { HealthCheck } from '@taproom/core/health'
import { atMost } from '@taproom/core/time'
import { createTopicAdmin } from '../admin/topic-admin.ts'
import { livenessCheck } from '../channel/check.ts'
import { checkInteger, checkName, DEFAULT_BUFFER_BYTES } from '../channel/option-rules.ts'
import { GroupMember } from '../group/group-member.ts'
import { memberCheck } from '../group/member-check.ts'
import { TransientFailures } from '../group/transient-failures.ts'
import type { KafkaClient } from '../kafka/client.ts'
import { AssignedPartitions } from './assigned-partitions.ts'
import { createFailureHandler, type FailureHandler } from './failure-handler.ts'
import type { IncomingChannel, IncomingCounters, IncomingOptions } from './incoming-channel.ts'
import { MessageDispatcher } from './message-dispatcher.ts'

const COMMIT_LIMIT_MS = 3000
const ABORTED_HANDLER_LIMIT_MS = 500
const DELETE_GROUP_LIMIT_MS = 1500

interface IncomingSettings extends Required<IncomingOptions> {
  /** Whether the group is this channel's own, without other members, and deleted at the end. */
  readonly isOnlyReader: boolean
}

/**
 * Opens an incoming channel. Returns at once; joins its group in the background and again after every failure.
 * Offsets are stored after `onMessage`, never beyond a message that is still in flight. When `concurrency` messages
 * or `bufferBytes` bytes are in flight, nothing more is fetched, but heartbeats go on.
 * @throws {RangeError} when an option is invalid
 */
export function openIncoming(kafka: KafkaClient, options: IncomingOptions): IncomingChannel {
  const { channel, from = 'latest', failureStrategy = 'fail' } = options
  return new KafkaIncoming(kafka, {
    ...options,
    from,
    failureStrategy,
    topic: checkName('topic', options.topic ?? channel),
    groupId: checkName('groupId', options.groupId ?? `${kafka.clientId}-${channel}-${randomUUID()}`),
    isOnlyReader: options.groupId === undefined,
    concurrency: checkInteger('concurrency', options.concurrency ?? 1, 1),
    bufferBytes: checkInteger('bufferBytes', options.bufferBytes ?? DEFAULT_BUFFER_BYTES, 1),
    commitIntervalMs: checkInteger('commitIntervalMs', options.commitIntervalMs ?? 1000, 1),
    graceMs: checkInteger('graceMs', options.graceMs ?? 5000, 0),
    deadLetterTopic: checkName('deadLetterTopic', options.deadLetterTopic ?? `dead-letter-topic-${channel}`),
  })
}

class KafkaIncoming implements IncomingChannel {
  readonly groupId: string
  readonly assigned: Promise<void>
  readonly check: HealthCheck
  readonly liveness: HealthCheck
  readonly #kafka: KafkaClient
  readonly #settings: IncomingSettings
  /** Aborts when the grace is over: results of handlers no longer count. */
  readonly #expired = new AbortController()
  readonly #partitions: AssignedPartitions
  readonly #failures: FailureHandler
  readonly #dispatcher: MessageDispatcher
  readonly #member: GroupMember
  readonly #commitTimer: NodeJS.Timeout
  #committing: Promise<void> | undefined
  #closed: Promise<void> | undefined
  /** A message failed and the strategy is `fail`. */
  #failure: string | undefined

  constructor(kafka: KafkaClient, settings: IncomingSettings) {
    const { channel, topic, groupId, concurrency } = settings
    const { heartbeatIntervalMs } = kafka.groupTiming
    this.#kafka = kafka
    this.#settings = settings
    this.#partitions = new AssignedPartitions({ ...settings, kafka, expired: this.#expired.signal })
    this.#failures = createFailureHandler({ ...settings, kafka, onStop: (reason) => void this.#close(reason) })
    const transientFailures = new TransientFailures(channel, kafka.log)
    const failures = { failures: this.#failures, transientFailures }
    this.#dispatcher = new MessageDispatcher({ ...settings, ...failures, heartbeatIntervalMs })
    this.#member = new GroupMember({
      kafka,
      channel,
      topic,
      groupId,
      partitionsAtOnce: Math.min(concurrency, 8),
      onAssigned: (assignment) => this.#partitions.assign(assignment),
      // Sent before the member joins again, so that the next owner begins where this one stopped.
      onRebalancing: () => void this.#partitions.commit(),
      onBatch: async (batch, broken) => {
        const partition = this.#partitions.get(batch.batch.partition)
        if (partition !== undefined) await this.#dispatcher.dispatch(batch, partition, broken)
      },
    })
    this.#commitTimer = setInterval(() => this.#commitUnlessUnderWay(), settings.commitIntervalMs)

    const name = `Kafka incoming channel ${channel}`
    this.groupId = groupId
    this.assigned = this.#member.assigned
    this.check = memberCheck(name, this.#member, kafka.groupTiming, { transientFailures })
    this.liveness = livenessCheck(name, () => ({
      failure: this.#failure,
      unreadable: this.#dispatcher.counts.unreadable,
      lastUnreadable: this.#dispatcher.lastUnreadable,
    }))
  }

  get counters(): IncomingCounters {
    return {
      ...this.#dispatcher.counts,
      deadLettered: this.#failures.deadLettered,
      restarts: this.#member.restarts,
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close()
  }

  /** Keeps the first failure. */
  #close(failure?: string): Promise<void> {
    this.#failure ??= failure
    this.#closed ??= this.#shutDown()
    return this.#closed
  }

  async #shutDown(): Promise<void> {
    this.#dispatcher.stop()
    this.#member.pause()
    await atMost(this.#dispatcher.idle(), this.#settings.graceMs)
    this.#expired.abort()
    await atMost(this.#dispatcher.idle(), ABORTED_HANDLER_LIMIT_MS)
    clearInterval(this.#commitTimer)
    // First the request in flight, whose retries must not arrive after the last commit.
    await atMost(this.#committing ?? Promise.resolve(), COMMIT_LIMIT_MS)
    await atMost(this.#partitions.commit(), COMMIT_LIMIT_MS)
    await this.#member.close()
    await this.#failures[Symbol.asyncDispose]()
    if (this.#settings.isOnlyReader && this.#member.heartbeatAtMs > 0) await this.#deleteGroup()
  }

  /** At most one request at a time, however slow Kafka is. */
  #commitUnlessUnderWay(): void {
    this.#committing ??= this.#partitions.commit().finally(() => {
      this.#committing = undefined
    })
  }

  /** If this fails, Kafka deletes the empty group after its retention time. */
  async #deleteGroup(): Promise<void> {
    const { channel, groupId } = this.#settings
    await using admin = createTopicAdmin(this.#kafka, { timeoutMs: DELETE_GROUP_LIMIT_MS })
    await admin.deleteGroup(groupId).catch((error: unknown) => {
      this.#kafka.log.debug({ channel, groupId, err: error }, 'kafka group not deleted')
    })
  }
}
