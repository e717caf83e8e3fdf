import { CompressionTypes, type KafkaMessage, Partitioners } from '@taproom/kafkajs'
import type { KafkaSession } from '@taproom/messaging'
import type { RecordView } from '../api/kafka.ts'
import { recordView } from './record-view.ts'

/** A record to write; all are texts. */
export interface NewRecord {
  readonly partition: number | undefined
  readonly key: string | null
  /** Null is a tombstone. */
  readonly value: string | null
  readonly headers: Readonly<Record<string, string>> | undefined
}

const TIMEOUT_MS = 4000

/** Writes it, confirmed by all replicas, to the partition that its key has for Kafka's Java client unless it names one. */
export async function produceRecord({ kafkajs }: KafkaSession, topic: string, record: NewRecord): Promise<RecordView> {
  const producer = kafkajs.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
    retry: { retries: 2 },
  })
  await producer.connect()
  try {
    const { partition, key, value, headers } = record
    const time = Date.now()
    const [written] = await producer.send({
      topic,
      acks: -1,
      timeout: TIMEOUT_MS,
      compression: CompressionTypes.None,
      messages: [
        {
          key,
          value,
          timestamp: String(time),
          ...(partition !== undefined && { partition }),
          ...(headers !== undefined && { headers: { ...headers } }),
        },
      ],
    })
    const appended = written?.logAppendTime
    const message = {
      offset: written?.baseOffset ?? '',
      timestamp: appended === undefined || appended === '-1' ? String(time) : appended,
      key: key === null ? null : Buffer.from(key),
      value: value === null ? null : Buffer.from(value),
      headers: { ...headers },
      attributes: 0,
    } satisfies KafkaMessage
    return recordView(topic, written?.partition ?? -1, message)
  } finally {
    await producer.disconnect()
  }
}
