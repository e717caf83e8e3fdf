import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'
import { consumeUntil } from './consume.ts'

const BATCHES = 60
const BATCH_BYTES = 200_000
const READERS = ['one', 'two', 'three']

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-kafka-reused-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const digestOf = (value: Buffer | null) => value && createHash('sha256').update(value).digest('hex')

describe('memory of requests and answers that is used again', () => {
  it.each([
    ['as it is', {}],
    // A batch is then in use for longer than its request takes to be read.
    ['that the broker compresses', { 'compression.type': 'gzip' }],
  ])('carries every record %s, while clients write and read at once', async (_how, config: Record<string, string>) => {
    await using broker = await startEmbeddedKafka({ dataDir, topics: [{ name: 'records', partitions: 4, config }] })
    const kafka = new Kafka({ brokers: broker.bootstrapServers.split(','), logLevel: logLevel.NOTHING })
    const values = Array.from({ length: BATCHES }, () => randomBytes(BATCH_BYTES))
    const producers = [kafka.producer(), kafka.producer()]
    const consumers = READERS.map((groupId) => kafka.consumer({ groupId, maxWaitTimeInMs: 50 }))
    try {
      await Promise.all(producers.map((producer) => producer.connect()))
      const reading = consumers.map((consumer) => consumeUntil(consumer, 'records', BATCHES))
      const sending = values.map((value, index) =>
        producers[index % 2]?.send({ topic: 'records', messages: [{ key: String(index), value }] }),
      )
      await Promise.all(sending)
      const sent = values.map(digestOf).toSorted()
      for (const read of await Promise.all(reading)) {
        expect(read.map(({ message }) => digestOf(message.value)).toSorted()).toEqual(sent)
      }
    } finally {
      await Promise.all([...producers, ...consumers].map((client) => client.disconnect()))
    }
  })
})
