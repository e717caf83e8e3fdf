import type { KafkaMessage } from '@taproom/kafkajs'
import type { OutgoingMessage } from '../channel/message.ts'
import { messageBytes } from '../channel/message-bytes.ts'
import { Turn } from '../channel/turn.ts'
import { fromKafkaRecord } from '../kafka/record.ts'
import type { TransformOptions } from './transform-channel.ts'

interface BatchOptions {
  readonly partition: number
  readonly records: readonly KafkaMessage[]
  readonly bufferBytes: number
  readonly commitIntervalMs: number
  readonly options: Pick<TransformOptions, 'inputTopic' | 'transform'>
  /** Whether Kafka refused the outputs of this message. */
  isRefused(offset: bigint): boolean
  onSetAside(record: KafkaMessage, why: 'unreadable' | 'refused'): void
}

/**
 * Transforms messages, at least one, until all are done, their outputs exceed `bufferBytes` or it has taken `commitIntervalMs`; `next` is the
 * offset after the last of them.
 */
export async function transformBatch(batch: BatchOptions) {
  const { partition, records, options, bufferBytes, commitIntervalMs } = batch
  const until = performance.now() + commitIntervalMs
  const outputs: OutgoingMessage[] = []
  const counts = { consumed: 0, skipped: 0, unreadable: 0, refused: 0 }
  let bytes = 0
  let next = 0n
  const turn = new Turn()
  for (const record of records) {
    if (turn.isOver) await turn.next()
    if (counts.consumed > 0 && (bytes > bufferBytes || performance.now() >= until)) break
    const offset = BigInt(record.offset)
    const isRefused = batch.isRefused(offset)
    counts.consumed += 1
    if (offset >= next) next = offset + 1n
    if (record.undecodable !== undefined || isRefused) {
      const why = isRefused ? 'refused' : 'unreadable'
      counts[why] += 1
      batch.onSetAside(record, why)
      continue
    }
    const made = options.transform(fromKafkaRecord(options.inputTopic, partition, record))
    // A promise for each of thousands is noticed.
    const produced = Array.isArray(made) ? made : await made
    if (produced.length === 0) counts.skipped += 1
    for (const output of produced) {
      outputs.push(output)
      bytes += messageBytes(output)
    }
  }
  return { outputs, next, counts: { ...counts, produced: outputs.length } }
}
