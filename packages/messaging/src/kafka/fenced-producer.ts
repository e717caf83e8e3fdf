import { withDeadline } from '@taproom/core/time'
import type { Producer } from '@taproom/kafkajs'
import type { KafkaClient } from './client.ts'
import { openProducer, type ProducerLink } from './producer-link.ts'
import { endSession } from './session.ts'

/** After this time Kafka aborts a transaction that was left open; until then readers wait for it. */
const TRANSACTION_TIMEOUT_MS = 10_000
const ACQUIRE_LIMIT_MS = 10_000

/**
 * Opens the only producer that may write with a transactional id: earlier ones are fenced, and their open transactions aborted or, where Kafka
 * has decided, completed. Only then does `prepare` run.
 */
export async function openFencedProducer<T>(
  kafka: KafkaClient,
  transactionalId: string,
  prepare: (link: ProducerLink) => Promise<T>,
): Promise<T> {
  const link = openProducer(kafka, {
    transactionalId,
    transactionTimeout: TRANSACTION_TIMEOUT_MS,
    retry: { retries: 5 },
  })
  try {
    await withDeadline(fence(link.producer), ACQUIRE_LIMIT_MS, 'fencing earlier producers')
    return await prepare(link)
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
