import { reasonOf } from '@taproom/core/lines'
import { settledOffset } from '../admin/settled-offset.ts'
import { createTopicAdmin } from '../admin/topic-admin.ts'
import type { OutgoingMessage } from '../channel/message.ts'
import { checkName } from '../channel/option-rules.ts'
import { isNotFound, isRefusedRecord } from '../kafka/broker-answer.ts'
import type { KafkaClient } from '../kafka/client.ts'
import { type Compression, checkCompression } from '../kafka/compression.ts'
import { openFencedProducer } from '../kafka/fenced-producer.ts'
import type { ProducerLink } from '../kafka/producer-link.ts'
import { endSession } from '../kafka/session.ts'
import { writeTransaction } from '../kafka/write-transaction.ts'

/** The number of partitions of a new topic. */
const KAFKA_DECIDES = -1

export interface TransactionalWriterOptions {
  /** Created when it does not exist, with as many partitions as Kafka gives new topics. */
  readonly topic: string
  /** Must be the same over restarts and in all instances, and of no other writer. Also the group that stores which batch was written last. */
  readonly transactionalId: string
  /** How the records of a request are compressed. Default `none`. */
  readonly compression?: Compression
}

/** Messages of one transaction. */
export interface NumberedBatch {
  /** Higher than that of each batch before. */
  readonly number: number
  readonly messages: readonly OutgoingMessage[]
}

/** The outcome of all messages of a batch: written, or none because Kafka refused one of them as too large or invalid. */
export type WriteOutcome = { readonly state: 'delivered' } | { readonly state: 'refused'; readonly reason: string }

/** The only session with its transactional id. */
export interface TransactionalSession extends AsyncDisposable {
  /** The number of the last batch of this outbox that was committed; 0 for none. */
  readonly last: number
  /** Writes a batch and its number in one transaction. @throws when the outcome is unknown: another session knows it by `last` */
  write(batch: NumberedBatch): Promise<readonly WriteOutcome[]>
}

/** Writes numbered batches exactly once for read_committed readers; the destination of an outbox. */
export interface TransactionalWriter {
  /** Fences all earlier sessions: their transactions are committed or aborted before `last` is read. */
  open(outbox: { readonly outboxId: string }): Promise<TransactionalSession>
}

/**
 * Creates a writer for an outbox. Nothing is connected until a session is opened. A session ends within seconds while Kafka is away.
 *
 * @throws {RangeError} when an option is invalid
 */
export function createTransactionalWriter(
  kafka: KafkaClient,
  options: TransactionalWriterOptions,
): TransactionalWriter {
  const topic = checkName('topic', options.topic)
  const transactionalId = checkName('transactionalId', options.transactionalId)
  const compression = checkCompression('compression', options.compression ?? 'none')
  /** The number of a batch is an offset of a group without members. Numbers of another outbox mean nothing. */
  const place = { groupId: transactionalId, topic, partition: 0 }

  function sessionOf({ producer, session }: ProducerLink, last: number, metadata: string): TransactionalSession {
    return {
      last,
      async write({ number, messages }) {
        try {
          const stored = { ...place, offset: String(number), metadata }
          await writeTransaction(producer, { messages, topic, compression, stored })
          return messages.map(() => ({ state: 'delivered' }))
        } catch (error) {
          // Kafka answers so before the end of a transaction: it is not committed.
          if (!isRefusedRecord(error)) throw error
          return messages.map(() => ({ state: 'refused', reason: reasonOf(error) }))
        }
      },
      [Symbol.asyncDispose]: () => endSession(session, producer),
    }
  }

  return {
    async open({ outboxId }) {
      const metadata = `outbox=${outboxId}`
      return await openFencedProducer(kafka, transactionalId, async (link) => {
        await using admin = createTopicAdmin(kafka)
        const stored = await settledOffset(admin, place).catch(async (error) => {
          if (!isNotFound(error)) throw error
          await admin.ensureTopic(topic, KAFKA_DECIDES)
          return await settledOffset(admin, place)
        })
        return sessionOf(link, stored?.metadata === metadata ? Number(stored.offset) : 0, metadata)
      })
    },
  }
}
