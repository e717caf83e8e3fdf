import type { KafkaMessage } from '@taproom/kafkajs'
import { checkMessage } from '../channel/check-message.ts'
import { deadLetterOf, emptyDeadLetterOf } from '../channel/dead-letter.ts'
import type { IncomingMessage, OutgoingMessage } from '../channel/message.ts'
import { messageBytes } from '../channel/message-bytes.ts'
import { Turn } from '../channel/turn.ts'
import { isTransient } from '../group/transient-failures.ts'
import { fromKafkaRecord, type Undecodable } from '../kafka/record.ts'
import type { Refusal } from './refused-outputs.ts'
import type { TransformOptions } from './transform-channel.ts'

interface BatchOptions {
  readonly partition: number
  readonly records: readonly KafkaMessage[]
  readonly options: Pick<
    Required<TransformOptions>,
    'channel' | 'inputTopic' | 'bufferBytes' | 'commitIntervalMs' | 'failureStrategy' | 'deadLetterTopic' | 'transform'
  >
  /** Undefined where Kafka refused nothing of this message. */
  refusal(offset: bigint): Refusal | undefined
  onSetAside(message: IncomingMessage, reason: Reason): void
}

/** Why a message has no outputs. A batch that cannot be decoded stands for all its records. */
export interface Reason extends Readonly<Pick<Undecodable, 'records' | 'firstOffset'>> {
  readonly why: 'unreadable' | 'refused' | 'failed'
  readonly error: unknown
}

/** How a log line begins. */
export const WHY: Readonly<Record<Reason['why'], string>> = {
  failed: 'kafka message failed',
  unreadable: 'kafka records unreadable',
  refused: 'kafka message refused',
}

export type BatchOutcome = Awaited<ReturnType<typeof transformBatch>>

/**
 * Transforms messages, at least one, until all are done, their outputs exceed `bufferBytes`, it has taken `commitIntervalMs`, or one has no
 * outputs, with the strategy `fail` or for a transient failure: that one is the `failure`.
 */
export async function transformBatch(batch: BatchOptions) {
  const { partition, records, options } = batch
  const { inputTopic, bufferBytes, commitIntervalMs, failureStrategy } = options
  const until = performance.now() + commitIntervalMs
  const outputs: OutgoingMessage[] = []
  const counts = { consumed: 0, produced: 0, skipped: 0, unreadable: 0, refused: 0, failed: 0, deadLettered: 0 }
  let bytes = 0
  /** How many messages are done. */
  let taken = 0
  /** The offset after the last of them. */
  let next = 0n
  const turn = new Turn()
  const put = (output: OutgoingMessage) => {
    outputs.push(output)
    bytes += messageBytes(output)
  }
  for (const record of records) {
    if (turn.isOver) await turn.next()
    if (taken > 0 && (bytes > bufferBytes || performance.now() >= until)) break
    const offset = BigInt(record.offset)
    const message = fromKafkaRecord(inputTopic, partition, record)
    const refusal = batch.refusal(offset)
    const making = outputsOf(message, record, refusal, options)
    // A promise for each of thousands is noticed.
    const made = making instanceof Promise ? await making : making
    if ('why' in made) {
      if (failureStrategy === 'fail' || isTransient(made.error)) {
        return { outputs, next, taken, counts, failure: { message, reason: made } }
      }
      counts[made.why] += made.records
      batch.onSetAside(message, made)
      const letter = failureStrategy === 'dead-letter-queue' ? letterOf(message, made, refusal) : undefined
      if (letter !== undefined) {
        put({ ...letter, topic: options.deadLetterTopic })
        counts.deadLettered += 1
      }
    } else {
      if (made.outputs.length === 0) counts.skipped += 1
      counts.produced += made.outputs.length
      for (const output of made.outputs) put(output)
    }
    taken += 1
    counts.consumed += 'why' in made ? made.records : 1
    if (offset >= next) next = offset + 1n
  }
  return { outputs, next, taken, counts, failure: undefined }
}

type Made = { readonly outputs: readonly OutgoingMessage[] } | Reason

function outputsOf(
  message: IncomingMessage,
  { undecodable }: KafkaMessage,
  refusal: Refusal | undefined,
  { channel, transform }: BatchOptions['options'],
): Made | Promise<Made> {
  if (undecodable !== undefined) {
    return { why: 'unreadable', ...undecodable }
  }
  const { offset: firstOffset } = message
  const failed = (error: unknown): Made => ({ why: 'failed', error, records: 1, firstOffset })
  const checked = (outputs: unknown): Made => {
    if (!Array.isArray(outputs)) throw new TypeError('transform must return a list of messages')
    for (const output of outputs) checkMessage(output, channel)
    return refusal === undefined ? { outputs } : { why: 'refused', error: refusal.error, records: 1, firstOffset }
  }
  try {
    const made: unknown = transform(message)
    return Array.isArray(made) ? checked(made) : Promise.resolve(made).then(checked).catch(failed)
  } catch (error) {
    return failed(error)
  }
}

/** A dead letter that Kafka refuses is written without the message's own bytes, and where that is refused, too, not at all: the log has it. */
function letterOf(
  message: IncomingMessage,
  { why, error }: Reason,
  refusal: Refusal | undefined,
): OutgoingMessage | undefined {
  // Its outputs were refused first, or else its letter.
  const lettersRefused = (refusal?.times ?? 0) - (why === 'refused' ? 1 : 0)
  if (lettersRefused > 1) return undefined
  return lettersRefused === 0 ? deadLetterOf(message, error) : emptyDeadLetterOf(message, error)
}
