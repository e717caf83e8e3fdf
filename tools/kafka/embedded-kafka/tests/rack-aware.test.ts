import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { type EmbeddedKafka, startEmbeddedKafka } from '../src/index.ts'
import { consumeUntil } from './consume.ts'
import { runJava } from './java-program.ts'
import { kcat } from './kcat.ts'

const TOPIC = 'beers'
const RACK_AWARE = 'org.apache.kafka.common.replica.RackAwareReplicaSelector'

const startCluster = (properties: Readonly<Record<string, string>> = { 'replica.selector.class': RACK_AWARE }) =>
  startEmbeddedKafka({ brokers: 3, racks: ['a', 'b', 'c'], topics: [TOPIC], properties })

const clientOf = ({ bootstrapServers }: EmbeddedKafka) =>
  new Kafka({ brokers: bootstrapServers.split(','), logLevel: logLevel.NOTHING })

async function produce(cluster: EmbeddedKafka): Promise<void> {
  const producer = clientOf(cluster).producer()
  await producer.connect()
  await producer.send({ topic: TOPIC, acks: -1, messages: [{ value: 'one beer' }] })
  await producer.disconnect()
}

/** How many Fetch requests each broker got while `read` ran. */
async function fetches(cluster: EmbeddedKafka, read: () => Promise<unknown>): Promise<readonly number[]> {
  const rules = [1, 2, 3].map((nodeId) =>
    cluster.control.addRule({ kind: 'delay', api: 'Fetch', topic: TOPIC, nodeId, delayMs: 1 }),
  )
  await read()
  return rules.map(({ hits }) => hits)
}

async function read(cluster: EmbeddedKafka, rackId?: string, groupId = 'g'): Promise<void> {
  const consumer = clientOf(cluster).consumer({ groupId, maxWaitTimeInMs: 100, ...(rackId && { rackId }) })
  await consumeUntil(consumer, TOPIC, 1)
  await consumer.disconnect()
}

describe('reads from the nearest replica (KIP-392)', () => {
  it('go to the follower in the rack of the client, and from there to the leader when it is gone', async () => {
    await using cluster = await startCluster()
    await produce(cluster)
    const near = await fetches(cluster, () => read(cluster, 'c'))
    expect(near[1]).toBe(0)
    expect(near[2]).toBeGreaterThanOrEqual(1)
    await cluster.brokers[2]?.kill()
    const left = await fetches(cluster, () => read(cluster, 'c', 'other'))
    expect(left.slice(1)).toEqual([0, 0])
  })

  it.each([['a'], ['elsewhere'], [undefined]])('go to the leader for a client in rack %s', async (rackId) => {
    await using cluster = await startCluster()
    await produce(cluster)
    const hits = await fetches(cluster, () => read(cluster, rackId))
    expect(hits.slice(1)).toEqual([0, 0])
  })

  it('go to the leader without the property', async () => {
    await using cluster = await startCluster({})
    await produce(cluster)
    expect((await fetches(cluster, () => read(cluster, 'c'))).slice(1)).toEqual([0, 0])
  })

  it('need the class of Apache Kafka: another one stops the start', async () => {
    const started = startCluster({ 'replica.selector.class': 'com.example.Nearest' })
    await expect(started).rejects.toThrow(`replica.selector.class must be ${RACK_AWARE}; got com.example.Nearest`)
  })

  it('go to the follower from librdkafka', { tags: 'kcat' }, async () => {
    await using cluster = await startCluster()
    await produce(cluster)
    const args = [
      '-b',
      cluster.bootstrapServers,
      '-t',
      TOPIC,
      '-X',
      'client.rack=b',
      '-C',
      '-o',
      'beginning',
      '-c',
      '1',
    ]
    const hits = await fetches(cluster, async () => expect((await kcat(args)).trim()).toBe('one beer'))
    expect(hits[1]).toBeGreaterThanOrEqual(1)
    expect(hits[2]).toBe(0)
  })

  it('go to the follower from the Java client', { tags: 'java-client' }, async () => {
    await using cluster = await startCluster()
    await produce(cluster)
    const hits = await fetches(cluster, () => runJava('JavaNearestReplica', cluster.bootstrapServers))
    expect(hits[1]).toBeGreaterThanOrEqual(1)
    expect(hits[2]).toBe(0)
  })
})
