import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { type EmbeddedKafka, type EmbeddedKafkaOptions, type FaultRule, startEmbeddedKafka } from '../src/index.ts'
import { consumeUntil, waitFor } from './consume.ts'
import { controlRequest } from './control-request.ts'

const TOPIC = 'beers'
const LISTENERS = {
  listeners: 'SASL_PLAINTEXT://127.0.0.1:0',
  properties: { 'sasl.enabled.mechanisms': 'SCRAM-SHA-256' },
  addScram: 'SCRAM-SHA-256=[name=admin,password=first]',
}

function clientOf({ brokers }: EmbeddedKafka, username = 'admin', password = 'first'): Kafka {
  return new Kafka({
    brokers: brokers.map(({ bootstrapServers }) => bootstrapServers),
    logLevel: logLevel.NOTHING,
    sasl: { mechanism: 'scram-sha-256', username, password },
    retry: { initialRetryTime: 20, retries: 20 },
  })
}

/** Leaves a topic, a record, a group, an open transaction and a user behind. */
async function use(cluster: EmbeddedKafka): Promise<void> {
  cluster.setScramPassword('guest', 'SCRAM-SHA-256', 'guest')
  cluster.setScramPassword('admin', 'SCRAM-SHA-256', 'second')
  const kafka = clientOf(cluster, 'admin', 'second')
  const producer = kafka.producer({ transactionalId: 'tx', idempotent: true, maxInFlightRequests: 1 })
  await producer.connect()
  const done = await producer.transaction()
  await done.send({ topic: TOPIC, messages: [{ value: 'old' }] })
  await done.commit()
  const consumer = kafka.consumer({ groupId: 'g', maxWaitTimeInMs: 100 })
  await consumeUntil(consumer, TOPIC, 1)
  await cluster.control.waitForCommitted({ groupId: 'g', topic: TOPIC, offset: 1, timeoutMs: 90_000 })
  const open = await producer.transaction()
  await open.send({ topic: 'other', messages: [{ value: 'open' }] })
  // The client goes on with a broker that knows neither its group nor its transaction.
  await consumer.disconnect()
  await producer.disconnect()
}

async function expectFresh(cluster: EmbeddedKafka): Promise<void> {
  const admin = clientOf(cluster).admin()
  await admin.connect()
  expect(await admin.listTopics()).toEqual([TOPIC])
  expect(await admin.fetchTopicOffsets(TOPIC)).toMatchObject([
    { low: '0', high: '0' },
    { low: '0', high: '0' },
  ])
  expect((await admin.listGroups()).groups).toEqual([])
  await admin.disconnect()
  expect(cluster.control.groups).toEqual([])
  expect(cluster.control.rules).toEqual([])
  await expect(clientOf(cluster, 'guest', 'guest').admin().connect()).rejects.toThrow()
}

async function resets(options: EmbeddedKafkaOptions): Promise<void> {
  const topics = [{ name: TOPIC, partitions: 2 }]
  await using cluster = await startEmbeddedKafka({ ...LISTENERS, ...options, topics, controlPort: 0 })
  for (let round = 0; round < 2; round += 1) {
    await use(cluster)
    cluster.control.addRule({ kind: 'pause', topic: TOPIC })
    const answer = await controlRequest(cluster.controlPort, 'POST /reset')
    expect(answer.status).toBe(204)
    await expectFresh(cluster)
  }
}

describe('decisions 3.165: a cluster that is emptied', () => {
  it('is as it was started, on the same ports', () => resets({}))

  it('is so with several brokers, one of which does not run', async () => {
    await using cluster = await startEmbeddedKafka({
      ...{ ...LISTENERS, brokers: 3, topics: [{ name: TOPIC, partitions: 2 }] },
    })
    await use(cluster)
    await cluster.brokers[2]?.kill()
    cluster.control.reset()
    await cluster.brokers[2]?.start()
    await expectFresh(cluster)
    await use(cluster)
  })

  it('is so with a folder, also after a restart', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'embedded-kafka-reset-'))
    try {
      await resets({ dataDir })
      await using again = await startEmbeddedKafka({ ...LISTENERS, dataDir })
      await expectFresh(again)
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  it.each<FaultRule>([
    { kind: 'pause', topic: TOPIC },
    { kind: 'delay', api: 'Produce', delayMs: 60_000 },
  ])('has nothing of a request that a rule held: $kind', async (rule) => {
    await using cluster = await startEmbeddedKafka({ topics: [TOPIC] })
    const kafka = new Kafka({ brokers: [cluster.bootstrapServers], logLevel: logLevel.NOTHING, retry: { retries: 0 } })
    const producer = kafka.producer()
    await producer.connect()
    const held = cluster.control.addRule(rule)
    const sent = producer.send({ topic: TOPIC, messages: [{ value: 'old' }] }).catch((error: unknown) => error)
    await waitFor(() => held.hits === 1)
    cluster.control.reset()
    expect(await sent).toBeInstanceOf(Error)
    const admin = kafka.admin()
    await admin.connect()
    expect(await admin.fetchTopicOffsets(TOPIC)).toMatchObject([{ low: '0', high: '0' }])
    await Promise.all([admin.disconnect(), producer.disconnect()])
  })

  it('takes no body', async () => {
    await using broker = await startEmbeddedKafka({ controlPort: 0 })
    const refused = await controlRequest(broker.controlPort, 'POST /reset', { topics: ['a'] })
    expect(refused).toMatchObject({ status: 400, body: { field: 'topics' } })
  })
})
