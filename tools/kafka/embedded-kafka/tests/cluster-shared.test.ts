import { Kafka, logLevel, type SASLOptions } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { type EmbeddedKafka, startEmbeddedKafka } from '../src/index.ts'
import { startBrokerProcess } from './broker-process.ts'
import { consumeUntil, waitFor } from './consume.ts'
import { runJava } from './java-program.ts'

const clientOf = ({ brokers }: EmbeddedKafka, sasl?: SASLOptions) =>
  new Kafka({
    clientId: 'cluster',
    brokers: brokers.map((broker) => broker.bootstrapServers),
    logLevel: logLevel.NOTHING,
    retry: { retries: 100, initialRetryTime: 50, maxRetryTime: 300 },
    ...(sasl && { sasl }),
  })

describe('decisions 3.58: all brokers of a cluster', () => {
  it('follow the rules of the control API, and tell it their clients', async () => {
    await using cluster = await startEmbeddedKafka({ brokers: 3, topics: [{ name: 't', partitions: 3 }] })
    const producer = clientOf(cluster).producer()
    await producer.connect()
    const send = () =>
      producer.send({ topic: 't', messages: [0, 1, 2].map((partition) => ({ partition, value: `to ${partition}` })) })
    await send()
    expect(cluster.control.clients.filter(({ clientId }) => clientId === 'cluster').length).toBeGreaterThanOrEqual(3)
    const rule = cluster.control.addRule({ kind: 'error', api: 'Produce', error: 'REQUEST_TIMED_OUT', times: 1000 })
    const sent = send()
    // Each broker leads one of the partitions.
    await waitFor(() => rule.hits >= 6)
    rule.delete()
    await sent
    await producer.disconnect()
  })

  it('have no leader for a partition that a rule takes it from, whichever is asked', async () => {
    await using cluster = await startEmbeddedKafka({ brokers: 2, topics: [{ name: 't', partitions: 2 }] })
    cluster.control.addRule({ kind: 'leaderless', topic: 't', partition: 1 })
    for (const { bootstrapServers } of cluster.brokers) {
      const admin = new Kafka({
        brokers: [bootstrapServers],
        logLevel: logLevel.NOTHING,
        retry: { retries: 0 },
      }).admin()
      await admin.connect()
      await expect(admin.fetchTopicMetadata({ topics: ['t'] })).rejects.toThrow(/There is no leader/)
      await admin.disconnect()
    }
  })

  it('know the users of SCRAM, and the password that one was given last', async () => {
    await using cluster = await startEmbeddedKafka({
      brokers: 3,
      listeners: 'SASL_PLAINTEXT://127.0.0.1:0',
      properties: { 'sasl.enabled.mechanisms': 'SCRAM-SHA-256' },
      addScram: 'SCRAM-SHA-256=[name=alice,password=first]',
      topics: [{ name: 't', partitions: 3 }],
    })
    cluster.setScramPassword('alice', 'SCRAM-SHA-256', 'second')
    const kafka = clientOf(cluster, { mechanism: 'scram-sha-256', username: 'alice', password: 'second' })
    const producer = kafka.producer()
    await producer.connect()
    await producer.send({ topic: 't', messages: [0, 1, 2].map((partition) => ({ partition, value: `${partition}` })) })
    await producer.disconnect()
    const consumer = kafka.consumer({ groupId: 'g', maxWaitTimeInMs: 100 })
    const messages = await consumeUntil(consumer, 't', 3)
    await consumer.disconnect()
    expect(messages.map(({ message }) => String(message.value)).toSorted()).toEqual(['0', '1', '2'])
  })

  it('lead again what they prefer once the clock is five minutes ahead', async () => {
    await using cluster = await startEmbeddedKafka({ brokers: 3, topics: ['t'] })
    const leadership = async () => {
      const admin = clientOf(cluster).admin()
      await admin.connect()
      const { topics } = await admin.fetchTopicMetadata({ topics: ['t'] }).finally(() => admin.disconnect())
      return topics[0]?.partitions[0]
    }
    const preferred = cluster.brokers.find(({ nodeId }) => nodeId === 1)
    expect(await leadership()).toMatchObject({ leader: 1 })
    await preferred?.stop()
    await preferred?.start()
    await waitFor(async () => (await leadership())?.isr.length === 3)
    expect((await leadership())?.leader).not.toBe(1)
    cluster.control.advanceClock(300_000)
    await waitFor(async () => (await leadership())?.leader === 1)
  })

  it('are started by the command, which says where they are', async () => {
    await using command = await startBrokerProcess({ env: { KAFKA_PORT: '0', KAFKA_BROKERS: '3' } })
    const addresses = command.bootstrapServers.split(',')
    expect(new Set(addresses).size).toBe(3)
    const admin = new Kafka({ brokers: addresses, logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    const { brokers } = await admin.describeCluster()
    expect(brokers.map(({ host, port }) => `${host}:${port}`)).toEqual(addresses)
    await admin.disconnect()
  })
})

describe('the Java client on a cluster of three', { tags: 'java-client' }, () => {
  it.each([
    ['JavaConsumerGroups', 'is assigned by the coordinators of its groups'],
    ['JavaTransactionsV2', 'writes to partitions that other brokers lead than the coordinator'],
  ])('%s %s', async (program) => {
    await using cluster = await startEmbeddedKafka({ brokers: 3 })
    await runJava(program, cluster.bootstrapServers)
  })
})
