import type { HealthCheck } from '@taproom/core/health'
import { reasonOf } from '@taproom/core/lines'
import { atMost, createBackOff, DeadlineError } from '@taproom/core/time'
import type { EachBatchPayload, KafkaMessage } from '@taproom/kafkajs'
import { livenessCheck } from '../channel/check.ts'
import { InFlightLimit } from '../channel/in-flight-limit.ts'
import type { IncomingMessage } from '../channel/message.ts'
import { checkInteger, checkName, DEFAULT_BUFFER_BYTES } from '../channel/option-rules.ts'
import { GroupMember } from '../group/group-member.ts'
import { memberCheck } from '../group/member-check.ts'
import { isTransient, type TransientFailure, TransientFailures } from '../group/transient-failures.ts'
import { isFenced, isRefusedRecord } from '../kafka/broker-answer.ts'
import { type KafkaClient, RETRY_WAITS } from '../kafka/client.ts'
import { checkCompression } from '../kafka/compression.ts'
import { placeAndReason } from '../kafka/record.ts'
import { OwnedPartitions } from './owned-partitions.ts'
import type { PartitionWriter } from './partition-writer.ts'
import { RefusedOutputs } from './refused-outputs.ts'
import { type BatchOutcome, type Reason, transformBatch, WHY } from './transform-batch.ts'
import type { TransformChannel, TransformCounters, TransformOptions } from './transform-channel.ts'
import { inTransactionSpan } from './transform-spans.ts'

const DRAIN_LIMIT_MS = 5000

interface Attempt {
  readonly failed?: { readonly error: unknown }
  readonly postponed?: TransientFailure
}

/**
 * Opens an exactly-once channel: the outputs of a batch of input messages and the group's next offset are one
 * transaction. Returns at once; joins its group in the background and again after every failure. After a SIGKILL
 * another instance takes over within the group's session timeout.
 * @throws {RangeError} when an option is invalid
 */
export function openTransform(kafka: KafkaClient, options: TransformOptions): TransformChannel {
  return new KafkaTransform(kafka, {
    ...options,
    inputTopic: checkName('inputTopic', options.inputTopic),
    outputTopic: checkName('outputTopic', options.outputTopic),
    transactionalId: checkName('transactionalId', options.transactionalId),
    groupId: checkName('groupId', options.groupId),
    from: options.from ?? 'earliest',
    batchSize: checkInteger('batchSize', options.batchSize ?? 2000, 1),
    commitIntervalMs: checkInteger('commitIntervalMs', options.commitIntervalMs ?? 100, 1),
    bufferBytes: checkInteger('bufferBytes', options.bufferBytes ?? DEFAULT_BUFFER_BYTES, 1),
    compression: checkCompression('compression', options.compression ?? 'none'),
    failureStrategy: options.failureStrategy ?? 'fail',
    deadLetterTopic: checkName('deadLetterTopic', options.deadLetterTopic ?? `dead-letter-topic-${options.channel}`),
  })
}

class KafkaTransform implements TransformChannel {
  readonly assigned: Promise<void>
  readonly check: HealthCheck
  readonly liveness: HealthCheck
  readonly #kafka: KafkaClient
  readonly #options: Required<TransformOptions>
  readonly #counts = {
    ...{ consumed: 0, produced: 0, skipped: 0, unreadable: 0, refused: 0 },
    ...{ failed: 0, deadLettered: 0, aborted: 0 },
  }
  readonly #refused = new RefusedOutputs()
  readonly #transientFailures: TransientFailures
  readonly #partitions: OwnedPartitions
  readonly #member: GroupMember
  readonly #batches = new InFlightLimit(Number.POSITIVE_INFINITY)
  readonly #stopping = new AbortController()
  #closed: Promise<void> | undefined
  /** Why it has stopped, with the strategy `fail`. */
  #failure: string | undefined
  #lastUnreadable: string | undefined

  constructor(kafka: KafkaClient, options: Required<TransformOptions>) {
    const { channel, inputTopic, groupId } = options
    this.#kafka = kafka
    this.#options = options
    this.#partitions = new OwnedPartitions(kafka, options)
    this.#transientFailures = new TransientFailures(channel, kafka.log)
    this.#member = new GroupMember({
      kafka,
      channel,
      topic: inputTopic,
      groupId,
      partitionsAtOnce: 8,
      onAssigned: (assignment) => this.#partitions.assign(assignment),
      onBatch: async (batch, broken) => {
        this.#batches.tryAcquire()
        try {
          await this.#onBatch(batch, broken)
        } finally {
          this.#transientFailures.end(batch)
          this.#batches.release()
        }
      },
    })
    this.assigned = this.#member.assigned
    const name = `Kafka transform channel ${channel}`
    this.check = memberCheck(name, this.#member, kafka.groupTiming, { transientFailures: this.#transientFailures })
    this.liveness = livenessCheck(name, () => ({
      failure: this.#failure,
      unreadable: this.#counts.unreadable,
      lastUnreadable: this.#lastUnreadable,
    }))
  }

  get counters(): TransformCounters {
    return { ...this.#counts, restarts: this.#member.restarts }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#shutDown()
    return this.#closed
  }

  /** One transaction after another, until the batch is done or the partition is lost. */
  async #onBatch(payload: EachBatchPayload, broken: AbortSignal): Promise<void> {
    const { partition, messages } = payload.batch
    const { batchSize } = this.#options
    let at = 0
    for (;;) {
      const writer = this.#partitions.writer(partition)
      const isOver = this.#stopping.signal.aborted || payload.isStale() || !payload.isRunning()
      if (writer === undefined || isOver) return
      // After a rebalance Kafka may send messages again that have been committed since its offsets were read.
      while (isBefore(messages[at], writer.position)) at += 1
      const atOnce = this.#refused.atOnce(partition, writer.position) ?? batchSize
      const open = messages.slice(at, at + atOnce)
      if (open.length === 0) {
        const end = messages.at(-1)
        if (end !== undefined) payload.resolveOffset(end.offset)
        return
      }
      const { failed, postponed } = await this.#attempt(writer, partition, open)
      broken.throwIfAborted()
      if (failed !== undefined) return await this.#recover(partition, failed.error, broken)
      if (postponed !== undefined) {
        await this.#transientFailures.wait(payload, postponed, AbortSignal.any([broken, this.#stopping.signal]))
        broken.throwIfAborted()
        continue
      }
      this.#transientFailures.end(payload)
      payload.resolveOffset(String(writer.position - 1n))
    }
  }

  /** The error of a failed transaction, or the message with which the next one begins after a wait; neither when all was committed. */
  async #attempt(writer: PartitionWriter, partition: number, records: readonly KafkaMessage[]): Promise<Attempt> {
    const { channel, inputTopic: topic } = this.#options
    try {
      return await inTransactionSpan(this.#options, (transform) =>
        this.#runTransaction(writer, partition, records, transform),
      )
    } catch (error) {
      this.#counts.aborted += 1
      this.#kafka.log.warn({ channel, topic, partition, err: error }, 'kafka transaction failed, trying again')
      await this.#partitions.giveUp(partition, writer)
      return { failed: { error } }
    }
  }

  async #runTransaction(
    writer: PartitionWriter,
    partition: number,
    records: readonly KafkaMessage[],
    transform: TransformOptions['transform'],
  ): Promise<Attempt> {
    const done = await transformBatch({
      partition,
      records,
      options: { ...this.#options, transform },
      refusal: (offset) => this.#refused.refusal(partition, offset),
      onSetAside: (message, reason) => this.#note(message, reason, 'set aside'),
    })
    if (done.taken > 0) await this.#commit(writer, partition, records, done)
    if (done.failure === undefined) return {}
    const { message, reason } = done.failure
    if (isTransient(reason.error)) return { postponed: { message, error: reason.error } }
    this.#stop(message, reason)
    return {}
  }

  #note(message: IncomingMessage, { why, ...reason }: Reason, end: string): void {
    const { topic, partition, offset } = message
    const { error: err, records } = reason
    const fields = { channel: this.#options.channel, topic, partition, offset, records, reason: reasonOf(err), err }
    this.#kafka.log.error(fields, `${WHY[why]}, ${end}`)
    if (why === 'unreadable') this.#lastUnreadable = placeAndReason(message, reason)
  }

  async #commit(
    writer: PartitionWriter,
    partition: number,
    records: readonly KafkaMessage[],
    { outputs, next, taken: count, counts }: BatchOutcome,
  ): Promise<void> {
    try {
      await writer.commit(outputs, next)
    } catch (error) {
      const taken = records.slice(0, count)
      if (isRefusedRecord(error)) this.#refused.note(partition, taken, error)
      // As large as it was it may take too long for ever.
      else if (error instanceof DeadlineError) this.#refused.divide(partition, taken)
      throw error
    }
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) this.#counts[name] += counts[name]
  }

  /** The message is read again after a restart, as with an incoming channel. */
  #stop(message: IncomingMessage, reason: Reason): void {
    this.#note(message, reason, 'the channel stops')
    this.#counts[reason.why] += reason.records
    this.#failure ??= reasonOf(reason.error)
    void this[Symbol.asyncDispose]()
  }

  /** A new writer commits or aborts the failed transaction; reading continues from the offset stored then. */
  async #recover(partition: number, error: unknown, broken: AbortSignal): Promise<void> {
    const { channel } = this.#options
    // Another member owns the partition now: a new assignment is needed.
    if (isFenced(error)) return this.#member.rebuild(error)
    const backOff = createBackOff(RETRY_WAITS)
    const until = AbortSignal.any([broken, this.#stopping.signal])
    await backOff.wait(until)
    while (!until.aborted) {
      try {
        return await this.#partitions.resume(partition)
      } catch (cause) {
        this.#kafka.log.debug({ channel, partition, err: cause }, 'kafka partition not taken over, trying again')
        await backOff.wait(until)
      }
    }
  }

  async #shutDown(): Promise<void> {
    this.#stopping.abort()
    this.#member.pause()
    await atMost(this.#batches.idle(), DRAIN_LIMIT_MS)
    await this.#member.close()
    await this.#partitions.close()
  }
}

function isBefore(message: KafkaMessage | undefined, position: bigint): boolean {
  return message !== undefined && BigInt(message.offset) < position
}
