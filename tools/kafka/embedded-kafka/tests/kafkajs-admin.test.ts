import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'

describe("kafkajs's admin client on the embedded broker", () => {
  it('is answered in all that it asks', async () => {
    await using broker = await startEmbeddedKafka()
    const kafka = new Kafka({ clientId: 'test', brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING })
    const admin = kafka.admin()
    const producer = kafka.producer()
    await using clients = new AsyncDisposableStack()
    for (const client of [admin, producer]) clients.defer(() => client.disconnect())
    await admin.connect()
    expect(await admin.createTopics({ topics: [{ topic: 't', numPartitions: 2 }] })).toBe(true)
    expect(await admin.createTopics({ topics: [{ topic: 't' }] })).toBe(false)
    await admin.createPartitions({ topicPartitions: [{ topic: 't', count: 3 }] })
    const metadata = await admin.fetchTopicMetadata({ topics: ['t'] })
    expect(metadata.topics[0]?.partitions).toHaveLength(3)
    await producer.connect()
    const at = (second: number) => String(1_700_000_000_000 + second * 1000)
    for (const second of [1, 2, 3]) {
      await producer.send({ topic: 't', messages: [{ value: 'x', partition: 0, timestamp: at(second) }] })
    }
    const byTime = await admin.fetchTopicOffsetsByTimestamp('t', Number(at(2)))
    expect(byTime.find(({ partition }) => partition === 0)?.offset).toBe('1')
    await admin.deleteTopicRecords({ topic: 't', partitions: [{ partition: 0, offset: '2' }] })
    const offsets = await admin.fetchTopicOffsets('t')
    expect(offsets.find(({ partition }) => partition === 0)).toMatchObject({ low: '2', high: '3' })
    const configs = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: 2, name: 't', configNames: ['retention.ms'] }],
    })
    expect(configs.resources[0]?.configEntries).toMatchObject([
      { configName: 'retention.ms', configValue: '604800000' },
    ])
    await admin.setOffsets({ groupId: 'g', topic: 't', partitions: [{ partition: 0, offset: '2' }] })
    expect((await admin.listGroups()).groups.map(({ groupId }) => groupId)).toEqual(['g'])
    expect((await admin.describeGroups(['g'])).groups[0]?.state).toBe('Empty')
    await admin.deleteGroups(['g'])
    expect((await admin.listGroups()).groups).toEqual([])
    await admin.deleteTopics({ topics: ['t'] })
    // As on Apache Kafka: of the coordinator that was asked for.
    expect(await admin.listTopics()).toEqual(['__consumer_offsets'])
    expect((await admin.describeCluster()).brokers).toEqual([{ nodeId: 1, host: broker.host, port: broker.port }])
  })
})
