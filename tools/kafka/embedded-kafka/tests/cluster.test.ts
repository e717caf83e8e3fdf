import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import kafkajs, { Kafka, logLevel, type RetryOptions } from 'kafkajs'
import { afterEach, describe, expect, it } from 'vitest'
import { type EmbeddedKafka, type EmbeddedKafkaOptions, OptionError, startEmbeddedKafka } from '../src/index.ts'
import { consumeUntil, waitFor } from './consume.ts'

// Node does not find these names in a module of CommonJS.
const { ConfigResourceTypes } = kafkajs

const open: { disconnect(): Promise<void> }[] = []
let cluster: EmbeddedKafka

function track<T extends { disconnect(): Promise<void> }>(client: T): T {
  open.push(client)
  return client
}

async function start(options: EmbeddedKafkaOptions = {}): Promise<Kafka> {
  cluster = await startEmbeddedKafka({ brokers: 3, ...options })
  const brokers = cluster.brokers.map(({ bootstrapServers }) => bootstrapServers)
  return kafkaOf(brokers, { retries: 100, initialRetryTime: 50, maxRetryTime: 300 })
}

function kafkaOf(brokers: string[], retry: RetryOptions): Kafka {
  return new Kafka({ clientId: 'cluster', brokers, logLevel: logLevel.NOTHING, retry })
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.disconnect()))
  await cluster?.[Symbol.asyncDispose]()
})

function broker(nodeId: number) {
  const found = cluster.brokers.find((each) => each.nodeId === nodeId)
  if (!found) throw new Error(`no broker ${nodeId}`)
  return found
}

async function adminOf(kafka: Kafka, options: Parameters<Kafka['admin']>[0] = {}) {
  const admin = track(kafka.admin(options))
  await admin.connect()
  return admin
}

async function producerOf(kafka: Kafka, options: Parameters<Kafka['producer']>[0] = {}) {
  const producer = track(kafka.producer(options))
  await producer.connect()
  return producer
}

async function partitionsOf(admin: ReturnType<Kafka['admin']>, topic: string) {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
  return (topics[0]?.partitions ?? []).toSorted((a, b) => a.partitionId - b.partitionId)
}

async function readAll(kafka: Kafka, topic: string, count: number): Promise<string[]> {
  const consumer = track(kafka.consumer({ groupId: `reader-${Math.random()}`, maxWaitTimeInMs: 100 }))
  const messages = await consumeUntil(consumer, topic, count)
  return messages.map(({ message }) => message.value?.toString() ?? '')
}

const sorted = (items: readonly number[] = []) => items.toSorted((a, b) => a - b)

describe('decisions 3.58: a cluster of three brokers', () => {
  it('spreads leaders and replicas, and says where they are', async () => {
    const kafka = await start({ racks: ['a', 'b'] })
    const admin = await adminOf(kafka)
    const described = await admin.describeCluster()
    expect(described.brokers.map(({ nodeId, port }) => [nodeId, port])).toEqual(
      cluster.brokers.map(({ nodeId, port }) => [nodeId, port]),
    )
    await admin.createTopics({ topics: [{ topic: 'spread', numPartitions: 6 }] })
    const partitions = await partitionsOf(admin, 'spread')
    for (const id of [1, 2, 3]) expect(partitions.filter(({ leader }) => leader === id)).toHaveLength(2)
    for (const { replicas, isr } of partitions) {
      expect(sorted(replicas)).toEqual([1, 2, 3])
      expect(sorted(isr)).toEqual([1, 2, 3])
    }
    await admin.createTopics({ topics: [{ topic: 'two', numPartitions: 6, replicationFactor: 2 }] })
    // Brokers 1 and 3 are in rack a: each partition is in b, too.
    for (const { replicas } of await partitionsOf(admin, 'two')) {
      expect(replicas).toHaveLength(2)
      expect(replicas).toContain(2)
    }
    await expect(admin.createTopics({ topics: [{ topic: 'four', replicationFactor: 4 }] })).rejects.toThrow()
    const replicaAssignment = [{ partition: 0, replicas: [3, 1] }]
    await admin.createTopics({ topics: [{ topic: 'given', replicaAssignment }] })
    expect(await partitionsOf(admin, 'given')).toMatchObject([{ leader: 3, replicas: [3, 1], isr: [3, 1] }])
  })

  it('serves producers and groups, whose coordinators are spread', async () => {
    const kafka = await start()
    const admin = await adminOf(kafka)
    await admin.createTopics({ topics: [{ topic: 'beer', numPartitions: 6 }] })
    const producer = await producerOf(kafka)
    const messages = Array.from({ length: 60 }, (_, index) => ({ value: String(index), partition: index % 6 }))
    await producer.send({ topic: 'beer', messages })
    const values = await readAll(kafka, 'beer', 60)
    expect(values.map(Number).toSorted((a, b) => a - b)).toEqual(messages.map((_, index) => index))
    const ids = Array.from({ length: 12 }, (_, index) => `group-${index}`)
    const partitions = [{ partition: 0, offset: '3' }]
    await Promise.all(ids.map((groupId) => admin.setOffsets({ groupId, topic: 'beer', partitions })))
    expect((await admin.listGroups()).groups.filter(({ groupId }) => ids.includes(groupId))).toHaveLength(12)
    const { groups } = await admin.describeGroups(ids)
    expect(groups.map(({ groupId }) => groupId).toSorted()).toEqual(ids.toSorted())
  })

  it('refuses acks=all with too few replicas in sync, and shows records when there are enough again', async () => {
    const kafka = await start()
    const admin = await adminOf(kafka)
    const configEntries = [{ name: 'min.insync.replicas', value: '2' }]
    await admin.createTopics({ topics: [{ topic: 'safe', replicationFactor: 3, configEntries }] })
    const [{ leader } = { leader: 0 }] = await partitionsOf(admin, 'safe')
    const [first, second] = cluster.brokers.filter(({ nodeId }) => nodeId !== leader)
    await first?.kill()
    const producer = await producerOf(kafka, { retry: { retries: 0 } })
    await producer.send({ topic: 'safe', acks: -1, messages: [{ value: 'two have it' }] })
    await second?.stop()
    const refused = producer.send({ topic: 'safe', acks: -1, messages: [{ value: 'refused' }] })
    await expect(refused).rejects.toThrow(/in-sync replicas/)
    await producer.send({ topic: 'safe', acks: 1, messages: [{ value: 'one has it' }] })
    expect(await admin.fetchTopicOffsets('safe')).toMatchObject([{ high: '1' }])
    await second?.start()
    await waitFor(async () => (await admin.fetchTopicOffsets('safe'))[0]?.high === '2')
    expect(await readAll(kafka, 'safe', 2)).toEqual(['two have it', 'one has it'])
    await first?.start()
    await waitFor(async () => (await partitionsOf(admin, 'safe'))[0]?.isr.length === 3)
  })

  it.each([{ where: 'in memory' }, { where: 'on disk' }])(
    'loses nothing that all in sync had when brokers are killed in turn, $where',
    async ({ where }) => {
      const folder = await mkdtemp(join(tmpdir(), 'embedded-kafka-'))
      const options = where === 'on disk' ? { dataDir: folder } : {}
      const kafka = await start(options)
      const admin = await adminOf(kafka)
      await admin.createTopics({ topics: [{ topic: 'load', numPartitions: 3 }] })
      const sent: string[][] = [[], [], []]
      let isDone = false
      // One partition for each: kafkajs loses records when a request to several leaders is repeated after one has moved.
      const producing = sent.map(async (acknowledged, partition) => {
        const producer = await producerOf(kafka, { idempotent: true, maxInFlightRequests: 1 })
        while (!isDone) {
          const value = `${partition} ${acknowledged.length}`
          await producer.send({ topic: 'load', acks: -1, messages: [{ partition, value }] })
          acknowledged.push(value)
        }
      })
      const count = () => Math.min(...sent.map(({ length }) => length))
      for (let round = 0; round < 3; round += 1) {
        const { nodeId } = cluster.brokers[round % 3] as { nodeId: number }
        const before = count()
        await waitFor(() => count() >= before + 10)
        await (round % 2 === 0 ? broker(nodeId).kill() : broker(nodeId).stop())
        const during = count()
        await waitFor(() => count() >= during + 5)
        await broker(nodeId).start()
        await waitFor(async () => (await partitionsOf(admin, 'load')).every(({ isr }) => isr.length === 3))
      }
      isDone = true
      await Promise.all(producing)
      if (where === 'on disk') {
        await Promise.all(open.splice(0).map((client) => client.disconnect()))
        await cluster[Symbol.asyncDispose]()
      }
      const again = where === 'on disk' ? await start(options) : kafka
      const values = await readAll(again, 'load', sent.flat().length)
      for (const [partition, expected] of sent.entries()) {
        expect(values.filter((value) => value.startsWith(`${partition} `))).toEqual(expected)
      }
      await Promise.all(open.splice(0).map((client) => client.disconnect()))
      await cluster[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  )

  it('moves coordinators: members, committed offsets and open transactions survive', async () => {
    const kafka = await start()
    const admin = await adminOf(kafka)
    await admin.createTopics({ topics: [{ topic: 'moved', numPartitions: 1 }] })
    const seen: string[] = []
    const consumer = track(
      kafka.consumer({ groupId: 'moving', maxWaitTimeInMs: 100, heartbeatInterval: 100, sessionTimeout: 30_000 }),
    )
    await consumer.connect()
    await consumer.subscribe({ topic: 'moved', fromBeginning: true })
    await consumer.run({
      autoCommitThreshold: 1,
      eachMessage: async ({ message }) => void seen.push(message.value?.toString() ?? ''),
    })
    const producer = await producerOf(kafka, { transactionalId: 'moving', idempotent: true, maxInFlightRequests: 1 })
    for (let round = 0; round < 3; round += 1) {
      const victim = broker(round + 1)
      const transaction = await producer.transaction()
      await transaction.send({ topic: 'moved', messages: [{ value: `before ${round}` }] })
      await victim.kill()
      await transaction.send({ topic: 'moved', messages: [{ value: `after ${round}` }] })
      await transaction.commit()
      await waitFor(() => seen.includes(`after ${round}`))
      await victim.start()
      await waitFor(async () => (await partitionsOf(admin, 'moved'))[0]?.isr.length === 3)
    }
    const committed = async () => (await admin.fetchOffsets({ groupId: 'moving', topics: ['moved'] }))[0]?.partitions
    // Each transaction takes an offset for its marker.
    await waitFor(async () => Number((await committed())?.[0]?.offset) >= 8)
    expect([...new Set(seen)]).toEqual([0, 1, 2].flatMap((round) => [`before ${round}`, `after ${round}`]))
  })

  it('has no leader while the only replica is away, and goes on with what it had', async () => {
    const kafka = await start()
    const admin = await adminOf(kafka)
    await admin.createTopics({
      topics: [{ topic: 'alone', replicaAssignment: [{ partition: 0, replicas: [2] }] }],
    })
    const producer = await producerOf(kafka)
    await producer.send({ topic: 'alone', messages: [{ value: 'kept' }] })
    await broker(2).kill()
    const impatient = await adminOf(kafkaOf([broker(1).bootstrapServers], { retries: 0 }))
    await expect(partitionsOf(impatient, 'alone')).rejects.toThrow(/There is no leader/)
    const waiting = producer.send({ topic: 'alone', messages: [{ value: 'waited' }] })
    await broker(2).start()
    await waiting
    expect(await readAll(kafka, 'alone', 2)).toEqual(['kept', 'waited'])
  })

  it('describes the settings of each broker and refuses wrong options', async () => {
    const kafka = await start({ racks: ['north', 'south', 'west'] })
    const admin = await adminOf(kafka)
    const resources = [{ type: ConfigResourceTypes.BROKER, name: '2', configNames: ['broker.rack', 'node.id'] }]
    const described = await admin.describeConfigs({ resources, includeSynonyms: false })
    expect(described.resources[0]?.configEntries.map(({ configValue }) => configValue).toSorted()).toEqual([
      '2',
      'south',
    ])
    await expect(startEmbeddedKafka({ brokers: 0 })).rejects.toBeInstanceOf(OptionError)
    await expect(startEmbeddedKafka({ brokers: 3, port: 65_534 })).rejects.toBeInstanceOf(OptionError)
    const listeners = 'A://127.0.0.1:19092,B://127.0.0.1:19093'
    const listenerSecurityProtocolMap = 'A:PLAINTEXT,B:PLAINTEXT'
    await expect(startEmbeddedKafka({ brokers: 2, listeners, listenerSecurityProtocolMap })).rejects.toThrow(/in a row/)
  })
})
