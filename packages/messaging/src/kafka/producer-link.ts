import type { ProducerConfig } from '@taproom/kafkajs'
import type { KafkaClient } from './client.ts'
import { createPartitioner } from './partitioner.ts'

export type ProducerLink = ReturnType<typeof openProducer>

/** A producer that is not connected yet, and the session of its connections. */
export function openProducer(kafka: KafkaClient, config: ProducerConfig) {
  const session = kafka.openSession()
  const fixed = { createPartitioner, maxInFlightRequests: 1, metadataMaxAge: 30_000 }
  return { session, producer: session.kafkajs.producer({ ...fixed, ...config }) }
}
