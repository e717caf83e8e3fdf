import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs'
import { createBackOff } from './back-off.ts'
import type { Assignment } from './consumer-run.ts'
import { atMost } from './deadline.ts'
import { joinGroup } from './group-member.ts'
import type { KafkaClient } from './kafka.ts'
import { isFenced } from './kafka-failure.ts'
import { fromKafkaRecord } from './kafka-message.ts'
import { keepAlive } from './keep-alive.ts'
import { memberCheck } from './member-check.ts'
import type { OutgoingMessage } from './message.ts'
import { checkInteger, checkName } from './option-rules.ts'
import { acquirePartition, type PartitionWriter } from './partition-writer.ts'
import { createSlots } from './slots.ts'
import type { TransformChannel, TransformOptions } from './transform-channel.ts'

const DRAIN_LIMIT_MS = 5000

/**
 * Opens an exactly-once channel: a batch of input messages, what they become, and the group's next offset are one
 * transaction. Returns at once; joins its group in the background and again after every failure. After a SIGKILL
 * another instance takes over within the group's session timeout.
 * @throws {RangeError} on an invalid option
 */
export function openTransform(kafka: KafkaClient, options: TransformOptions): TransformChannel {
  const { channel, from = 'earliest', transform } = options
  const topic = checkName('inputTopic', options.inputTopic)
  checkName('outputTopic', options.outputTopic)
  checkName('transactionalId', options.transactionalId)
  const groupId = checkName('groupId', options.groupId)
  const batchSize = checkInteger('batchSize', options.batchSize ?? 500, 1)

  const { heartbeatIntervalMs } = kafka.groupTiming
  const counts = { consumed: 0, produced: 0, skipped: 0, aborted: 0 }
  const writers = new Map<number, PartitionWriter>()
  const stopping = new AbortController()
  const running = createSlots(Number.MAX_SAFE_INTEGER)
  let owner: { memberId: string; consumer: Consumer } | undefined
  let assigning: Promise<void> = Promise.resolve()
  let closing: Promise<void> | undefined

  const member = joinGroup({
    kafka,
    channel,
    topic,
    groupId,
    fromBeginning: from === 'earliest',
    partitionsAtOnce: 8,
    onAssigned(assignment) {
      // One after another: two takeovers of one partition would fence each other.
      assigning = assigning.catch(() => undefined).then(() => assign(assignment))
      return assigning
    },
    async onBatch(batch) {
      running.tryAcquire()
      try {
        await onBatch(batch)
      } finally {
        running.release()
      }
    },
  })

  async function assign({ consumer, memberId, partitions }: Assignment): Promise<void> {
    const isSameMember = owner?.memberId === memberId
    owner = { memberId, consumer }
    const given = [...writers].filter(([partition]) => !isSameMember || !partitions.includes(partition))
    for (const [partition] of given) writers.delete(partition)
    await Promise.all(given.map(([, writer]) => writer.close()))
    await Promise.all(partitions.map((partition) => position(consumer, partition)))
  }

  /** Lets the consumer read on from where the partition's last committed transaction ended. */
  async function position(consumer: Consumer, partition: number): Promise<void> {
    let writer = writers.get(partition)
    if (writer === undefined) {
      writer = await acquirePartition(kafka, options, partition)
      writers.set(partition, writer)
    }
    consumer.seek({ topic, partition, offset: String(writer.position) })
  }

  async function onBatch(payload: EachBatchPayload): Promise<void> {
    const { partition, messages } = payload.batch
    for (;;) {
      const writer = writers.get(partition)
      if (writer === undefined || stopping.signal.aborted || payload.isStale() || !payload.isRunning()) return
      // Kafka sends again what was committed after the offsets were read for a rebalance.
      const open = messages.filter((message) => BigInt(message.offset) >= writer.position).slice(0, batchSize)
      const last = open.at(-1)
      if (last === undefined) {
        const end = messages.at(-1)
        if (end !== undefined) payload.resolveOffset(end.offset)
        return
      }
      const failed = await keepAlive(payload.heartbeat, heartbeatIntervalMs, () => attempt(writer, partition, open))
      if (failed !== undefined) return await recover(payload, failed.error)
      payload.resolveOffset(last.offset)
    }
  }

  async function process(writer: PartitionWriter, partition: number, records: readonly KafkaMessage[]): Promise<void> {
    const outputs: OutgoingMessage[] = []
    let skipped = 0
    let next = writer.position
    for (const record of records) {
      const produced = await transform(fromKafkaRecord(topic, partition, record))
      if (produced.length === 0) skipped += 1
      outputs.push(...produced)
      next = BigInt(record.offset) + 1n
    }
    await writer.commit(outputs, next)
    counts.consumed += records.length
    counts.produced += outputs.length
    counts.skipped += skipped
  }

  /** A writer that failed is not used again: whether its last transaction was committed is not known. */
  async function attempt(
    writer: PartitionWriter,
    partition: number,
    records: readonly KafkaMessage[],
  ): Promise<{ readonly error: unknown } | undefined> {
    try {
      await process(writer, partition, records)
      return undefined
    } catch (error) {
      counts.aborted += 1
      kafka.log.warn({ channel, topic, partition, err: error }, 'kafka transaction failed, doing it again')
      if (writers.get(partition) === writer) writers.delete(partition)
      await writer.close()
      return { error }
    }
  }

  /** A new writer settles the failed transaction one way or the other; reading goes on from the offset stored then. */
  async function recover(payload: EachBatchPayload, error: unknown): Promise<void> {
    const { partition } = payload.batch
    // Another member owns the partition now: only a new assignment tells what is still ours.
    if (isFenced(error)) return member.rebuild(error)
    await keepAlive(payload.heartbeat, heartbeatIntervalMs, async (signal) => {
      const backOff = createBackOff()
      const until = AbortSignal.any([signal, stopping.signal])
      await backOff.wait(until)
      while (!until.aborted && owner !== undefined) {
        try {
          return await position(owner.consumer, partition)
        } catch (cause) {
          kafka.log.debug({ channel, partition, err: cause }, 'kafka partition not taken over, trying again')
          await backOff.wait(until)
        }
      }
    })
  }

  async function shutDown(): Promise<void> {
    stopping.abort()
    member.pause()
    await atMost(running.idle(), DRAIN_LIMIT_MS)
    await member.close()
    await Promise.all([...writers.values()].map((writer) => writer.close()))
  }

  return {
    assigned: member.assigned,
    check: memberCheck(`Kafka transform channel ${channel}`, member, kafka.groupTiming),
    get counters() {
      return { ...counts, restarts: member.restarts }
    },
    [Symbol.asyncDispose]() {
      closing ??= shutDown()
      return closing
    },
  }
}
