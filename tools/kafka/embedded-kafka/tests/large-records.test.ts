import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompressionTypes, Kafka, logLevel } from 'kafkajs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EmbeddedKafkaOptions, startEmbeddedKafka } from '../src/index.ts'
import { consumeUntil } from './consume.ts'

const MIB = 1_048_576

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-kafka-large-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const digestOf = (value: Buffer | null) => value && createHash('sha256').update(value).digest('hex')

async function roundTrip(options: EmbeddedKafkaOptions, { sizes, compression, config }: Sent) {
  await using broker = await startEmbeddedKafka({ ...options, topics: [{ name: 'large', config }] })
  const kafka = new Kafka({ brokers: broker.bootstrapServers.split(','), logLevel: logLevel.NOTHING })
  const values = sizes.map((bytes) => randomBytes(bytes))
  const producer = kafka.producer()
  const consumer = kafka.consumer({ groupId: 'readers', maxWaitTimeInMs: 100 })
  try {
    await producer.connect()
    for (const value of values) {
      await producer.send({ topic: 'large', acks: -1, compression, messages: [{ key: 'a', value }] })
    }
    const read = await consumeUntil(consumer, 'large', sizes.length)
    expect(read.map(({ message }) => digestOf(message.value))).toEqual(values.map(digestOf))
  } finally {
    await Promise.all([producer.disconnect(), consumer.disconnect()])
  }
}

interface Sent {
  readonly sizes: readonly number[]
  readonly compression: CompressionTypes
  readonly config: Readonly<Record<string, string>>
}

describe('records of many megabytes', () => {
  it.each([
    ['in memory', () => ({})],
    ['in a folder', () => ({ dataDir })],
    ['on three brokers', () => ({ brokers: 3 })],
  ] as const)('are stored and read as they were sent %s', async (_where, options) => {
    const config = { 'max.message.bytes': String(30 * MIB) }
    await roundTrip(options(), { sizes: [8 * MIB, 100, 25 * MIB], compression: CompressionTypes.None, config })
  })

  it('are taken by a compacted topic when they are compressed', async () => {
    const config = { 'max.message.bytes': String(10 * MIB), 'cleanup.policy': 'compact' }
    await roundTrip({ dataDir }, { sizes: [9 * MIB], compression: CompressionTypes.GZIP, config })
  })

  it('are refused beyond max.message.bytes', async () => {
    const config = { 'max.message.bytes': String(4 * MIB) }
    const sent = { sizes: [5 * MIB], compression: CompressionTypes.None, config }
    await expect(roundTrip({}, sent)).rejects.toMatchObject({ type: 'MESSAGE_TOO_LARGE' })
  })
})
