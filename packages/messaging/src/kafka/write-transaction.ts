import { atMost, withDeadline } from '@taproom/core/time'
import type { Producer, TopicMessages } from '@taproom/kafkajs'
import type { OutgoingMessage } from '../channel/message.ts'
import { batchesOf } from '../channel/message-bytes.ts'
import { COMPRESSION_TYPES, type Compression } from './compression.ts'
import { groupByTopic } from './record.ts'

/** Shorter than Kafka's limit, so that this side gives up first. */
const TRANSACTION_LIMIT_MS = 8000
const ABORT_LIMIT_MS = 2000

/** The offset of a group that a transaction stores with its messages. */
interface GroupOffset {
  readonly groupId: string
  readonly topic: string
  readonly partition: number
  readonly offset: string
  readonly metadata: string | null
}

interface TransactionContent {
  readonly messages: readonly OutgoingMessage[]
  /** The topic of messages that name none. */
  readonly topic: string
  readonly compression: Compression
  readonly stored: GroupOffset
}

/** Writes messages and an offset in one transaction. After an error the outcome is unknown, unless Kafka refused a record. */
export async function writeTransaction(producer: Producer, content: TransactionContent): Promise<void> {
  await withDeadline(write(producer, content), TRANSACTION_LIMIT_MS, 'the transaction')
}

async function write(
  producer: Producer,
  { messages, topic, compression, stored: { groupId, topic: storedTopic, ...partition } }: TransactionContent,
): Promise<void> {
  const transaction = await producer.transaction()
  try {
    for (const batch of batchesOf(messages)) {
      const topicMessages: TopicMessages[] = groupByTopic(batch, topic)
      await transaction.sendBatch({ acks: -1, compression: COMPRESSION_TYPES[compression], topicMessages })
    }
    await transaction.sendOffsets({
      consumerGroupId: groupId,
      topics: [{ topic: storedTopic, partitions: [partition] }],
    })
    await transaction.commit()
  } catch (error) {
    // Unblocks readers at once; if this fails too, the next owner's fence or the time limit aborts it.
    if (transaction.isActive()) await atMost(transaction.abort(), ABORT_LIMIT_MS)
    throw error
  }
}
