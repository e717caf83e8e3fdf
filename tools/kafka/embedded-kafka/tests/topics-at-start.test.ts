import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ITopicMetadata, Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { type EmbeddedKafka, OptionError, startEmbeddedKafka } from '../src/index.ts'

async function partitionsOf({ bootstrapServers }: EmbeddedKafka): Promise<Readonly<Record<string, number>>> {
  const admin = new Kafka({ brokers: [bootstrapServers], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    const { topics } = await admin.fetchTopicMetadata()
    return Object.fromEntries(topics.map(({ name, partitions }: ITopicMetadata) => [name, partitions.length]))
  } finally {
    await admin.disconnect()
  }
}

describe('topics that are there from the start', () => {
  it('have the partitions they were given, or the default', async () => {
    await using broker = await startEmbeddedKafka({
      defaultPartitions: 2,
      topics: ['beers', { name: 'orders', partitions: 3, config: { 'cleanup.policy': 'compact' } }],
    })
    expect(await partitionsOf(broker)).toEqual({ beers: 2, orders: 3 })
  })

  it('have as many partitions as maxTopicPartitions allows', async () => {
    await using broker = await startEmbeddedKafka({ topics: [{ name: 'wide', partitions: 1000 }] })
    expect(await partitionsOf(broker)).toEqual({ wide: 1000 })
    const refused = startEmbeddedKafka({ maxTopicPartitions: 12, topics: [{ name: 'wide', partitions: 13 }] })
    await expect(refused).rejects.toThrow('at most 12 partitions (maxTopicPartitions); got 13')
  })

  it('stay as they are where the folder has them', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'embedded-kafka-topics-'))
    try {
      const first = await startEmbeddedKafka({ dataDir, topics: [{ name: 'beers', partitions: 3 }] })
      await first.close()
      await using again = await startEmbeddedKafka({ dataDir, topics: [{ name: 'beers', partitions: 1 }, 'new'] })
      expect(await partitionsOf(again)).toEqual({ beers: 3, new: 1 })
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  it.each([
    ['a name', ['a b'], /topics must be .*got a b: Topic name is invalid/],
    ['partitions', [{ name: 'a', partitions: 1.5 }], /topics must have a whole number of partitions; got 1.5 for a/],
    ['a setting', [{ name: 'a', config: { 'cleanup.policy': 'x' } }], /topics must be .*got a: .*cleanup.policy/],
  ])('are refused when %s is wrong, and the folder is free again', async (_what, topics, message) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'embedded-kafka-topics-'))
    try {
      const failed = startEmbeddedKafka({ dataDir, topics })
      await expect(failed).rejects.toThrow(OptionError)
      await expect(failed).rejects.toThrow(message)
      await using _broker = await startEmbeddedKafka({ dataDir })
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
