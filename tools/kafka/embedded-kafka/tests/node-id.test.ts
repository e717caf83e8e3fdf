import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { DataDirError, type EmbeddedKafka, startEmbeddedKafka } from '../src/index.ts'
import { consumeUntil } from './consume.ts'
import { controlRequest } from './control-request.ts'

const clientOf = ({ bootstrapServers }: EmbeddedKafka) =>
  new Kafka({ brokers: bootstrapServers.split(','), logLevel: logLevel.NOTHING })

async function nodeIds(cluster: EmbeddedKafka): Promise<readonly number[]> {
  const admin = clientOf(cluster).admin()
  await admin.connect()
  const { brokers } = await admin.describeCluster().finally(() => admin.disconnect())
  return brokers.map(({ nodeId }) => nodeId)
}

describe('node.id', () => {
  it('is the id of the first broker, and the others follow', async () => {
    const topics = [{ name: 't', partitions: 4 }]
    const properties = { 'node.id': '5', 'broker.id': '9' }
    await using cluster = await startEmbeddedKafka({ brokers: 2, topics, properties, controlPort: 0 })
    expect(cluster.brokers.map(({ nodeId }) => nodeId)).toEqual([5, 6])
    expect(await nodeIds(cluster)).toEqual([5, 6])
    const kafka = clientOf(cluster)
    const producer = kafka.producer({ transactionalId: 'tx', idempotent: true, maxInFlightRequests: 1 })
    await producer.connect()
    const transaction = await producer.transaction()
    await transaction.send({ topic: 't', messages: [0, 1, 2, 3].map((partition) => ({ partition, value: 'beer' })) })
    await transaction.commit()
    await producer.disconnect()
    const consumer = kafka.consumer({ groupId: 'g', maxWaitTimeInMs: 100 })
    await consumeUntil(consumer, 't', 4)
    await consumer.disconnect()
    await cluster.brokers[1]?.kill()
    expect(await nodeIds(cluster)).toEqual([5])
    const wrong = await controlRequest(cluster.controlPort, 'POST /rules', { kind: 'away', nodeId: 7 })
    expect(wrong.body).toMatchObject({ field: 'nodeId', detail: expect.stringContaining('from 5 to 6; got 7') })
    expect(await controlRequest(cluster.controlPort, 'POST /brokers/6/start')).toMatchObject({ status: 200 })
  })

  it.each([
    [{}, 1],
    [{ 'broker.id': '-1' }, 1],
    [{ 'broker.id': '0' }, 0],
    [{ 'node.id': '2147483638' }, 2_147_483_638],
  ])('is taken from %j: %i', async (properties, nodeId) => {
    await using broker = await startEmbeddedKafka({ properties })
    expect(await nodeIds(broker)).toEqual([nodeId])
  })

  it('stays with the folder', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'embedded-kafka-node-id-'))
    const start = (id: string) => startEmbeddedKafka({ dataDir, topics: ['t'], properties: { 'node.id': id } })
    try {
      const first = await start('3')
      const producer = clientOf(first).producer()
      await producer.connect()
      await producer.send({ topic: 't', messages: [{ value: 'kept' }] })
      await producer.disconnect()
      await first.close()
      const problem = 'the data directory is of the broker with node.id 3; node.id is 4'
      await expect(start('4')).rejects.toThrow(new DataDirError(problem))
      await using again = await start('3')
      expect(await consumeUntil(clientOf(again).consumer({ groupId: 'g' }), 't', 1)).toHaveLength(1)
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  it('stops the start when it cannot be', async () => {
    const started = startEmbeddedKafka({ properties: { 'node.id': '-1' } })
    await expect(started).rejects.toThrow('node.id must be a whole number from 0 to 2147483638; got "-1"')
  })
})
