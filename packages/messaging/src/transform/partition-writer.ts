import { atMost, pause, withDeadline } from '@taproom/core/time'
import type { Producer } from '@taproom/kafkajs'
import { createTopicAdmin } from '../admin/topic-admin.ts'
import type { OutgoingMessage } from '../channel/message.ts'
import { batchesOf } from '../channel/message-bytes.ts'
import type { TopicLife } from '../group/topic-watch.ts'
import type { KafkaClient } from '../kafka/client.ts'
import { COMPRESSION_TYPES } from '../kafka/compression.ts'
import { openProducer, type ProducerLink } from '../kafka/producer-link.ts'
import { groupByTopic } from '../kafka/record.ts'
import { endSession } from '../kafka/session.ts'
import { beginOf, offsetMetadata } from '../kafka/stored-offset.ts'
import type { TransformOptions } from './transform-channel.ts'

/** After this time Kafka aborts a transaction that was left open; until then readers wait for it. */
const TRANSACTION_TIMEOUT_MS = 10_000
/** Shorter than Kafka's limit, so that this side gives up first. */
const TRANSACTION_LIMIT_MS = 8000
const ACQUIRE_LIMIT_MS = 10_000
const ABORT_LIMIT_MS = 2000
const SETTLE_MS = 50

/** The only producer that may write the outputs of one input partition. */
export type PartitionWriter = ReturnType<typeof createWriter>

/**
 * Takes over an input partition: fences the producers of earlier owners, which aborts or completes their open
 * transactions, and only then reads the group's offset. The transactional id belongs to the partition (as in Kafka
 * Streams before KIP-447), because kafkajs does not send the group's generation with transactional offsets.
 */
export async function acquirePartition(
  kafka: KafkaClient,
  options: TransformOptions,
  partition: number,
  life: TopicLife,
): Promise<PartitionWriter> {
  const link = openProducer(kafka, {
    transactionalId: `${options.transactionalId}-${partition}`,
    transactionTimeout: TRANSACTION_TIMEOUT_MS,
    retry: { retries: 5 },
  })
  try {
    await withDeadline(fence(link.producer), ACQUIRE_LIMIT_MS, 'fencing earlier producers')
    const position = await readPosition(kafka, options, partition, life)
    return createWriter(link, options, { partition, start: position, life })
  } catch (error) {
    await endSession(link.session, link.producer)
    throw error
  }
}

async function fence(producer: Producer): Promise<void> {
  await producer.connect()
  // Opening a first, empty transaction registers the producer.
  const transaction = await producer.transaction()
  await transaction.abort()
}

async function readPosition(
  kafka: KafkaClient,
  options: TransformOptions,
  partition: number,
  life: TopicLife,
): Promise<bigint> {
  const { groupId, inputTopic, from = 'earliest' } = options
  await using admin = createTopicAdmin(kafka)
  const read = async () => (await admin.storedOffsets(groupId, inputTopic))[partition]
  // The coordinator applies the offsets of a transaction shortly after its end: read until two answers agree.
  let stored = await read()
  for (let previous: string | undefined = 'none'; previous !== stored?.offset; ) {
    await pause(SETTLE_MS)
    previous = stored?.offset
    stored = await read()
  }
  const begin = beginOf(stored, from, life)
  if (stored !== undefined && begin === 'stored') return BigInt(stored.offset)
  const defaults = begin === 'end' ? await admin.endOffsets(inputTopic) : await admin.beginOffsets(inputTopic)
  return BigInt(defaults[partition] ?? 0)
}

interface Begin {
  readonly partition: number
  /** The first offset to be read. */
  readonly start: bigint
  readonly life: TopicLife
}

function createWriter(link: ProducerLink, options: TransformOptions, { partition, start, life }: Begin) {
  const { groupId, inputTopic, outputTopic } = options
  const compression = COMPRESSION_TYPES[options.compression ?? 'none']
  const { producer } = link
  let position = start

  async function runTransaction(outputs: readonly OutgoingMessage[], next: bigint): Promise<void> {
    const transaction = await producer.transaction()
    try {
      for (const batch of batchesOf(outputs)) {
        await transaction.sendBatch({ acks: -1, compression, topicMessages: groupByTopic(batch, outputTopic) })
      }
      await transaction.sendOffsets({
        consumerGroupId: groupId,
        topics: [
          {
            topic: inputTopic,
            partitions: [{ partition, offset: String(next), metadata: offsetMetadata(life.topicId) }],
          },
        ],
      })
      await transaction.commit()
    } catch (error) {
      // Unblocks readers at once; if this fails too, the next owner's fence or the time limit aborts it.
      if (transaction.isActive()) await atMost(transaction.abort(), ABORT_LIMIT_MS)
      throw error
    }
  }

  return {
    /** The next input offset, by the last committed transaction. */
    get position(): bigint {
      return position
    },
    /** Writes the outputs and the next input offset in one transaction. After an error the outcome is unknown. */
    async commit(outputs: readonly OutgoingMessage[], next: bigint): Promise<void> {
      await withDeadline(runTransaction(outputs, next), TRANSACTION_LIMIT_MS, 'the transaction')
      position = next
    },
    close: () => endSession(link.session, producer),
  }
}
