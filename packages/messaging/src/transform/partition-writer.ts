import { settledOffset } from '../admin/settled-offset.ts'
import { createTopicAdmin } from '../admin/topic-admin.ts'
import type { OutgoingMessage } from '../channel/message.ts'
import type { TopicLife } from '../group/topic-watch.ts'
import type { KafkaClient } from '../kafka/client.ts'
import { openFencedProducer } from '../kafka/fenced-producer.ts'
import type { ProducerLink } from '../kafka/producer-link.ts'
import { endSession } from '../kafka/session.ts'
import { beginOf, offsetMetadata } from '../kafka/stored-offset.ts'
import { writeTransaction } from '../kafka/write-transaction.ts'
import type { TransformOptions } from './transform-channel.ts'

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
  return await openFencedProducer(kafka, `${options.transactionalId}-${partition}`, async (link) => {
    const position = await readPosition(kafka, options, partition, life)
    return createWriter(link, options, { partition, start: position, life })
  })
}

async function readPosition(
  kafka: KafkaClient,
  options: TransformOptions,
  partition: number,
  life: TopicLife,
): Promise<bigint> {
  const { groupId, inputTopic, from = 'earliest' } = options
  await using admin = createTopicAdmin(kafka)
  const stored = await settledOffset(admin, { groupId, topic: inputTopic, partition })
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
  const { groupId, inputTopic, outputTopic, compression = 'none' } = options
  const { producer } = link
  const metadata = offsetMetadata(life.topicId)
  let position = start

  return {
    /** The next input offset, by the last committed transaction. */
    get position(): bigint {
      return position
    },
    /** Writes the outputs and the next input offset in one transaction. After an error the outcome is unknown. */
    async commit(outputs: readonly OutgoingMessage[], next: bigint): Promise<void> {
      const stored = { groupId, topic: inputTopic, partition, offset: String(next), metadata }
      await writeTransaction(producer, { messages: outputs, topic: outputTopic, compression, stored })
      position = next
    },
    close: () => endSession(link.session, producer),
  }
}
