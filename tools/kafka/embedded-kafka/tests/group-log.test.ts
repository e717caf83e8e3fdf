import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'
import { waitFor } from './consume.ts'
import { kcat } from './kcat.ts'

const TOPIC = '__consumer_offsets'
/** Of the group `g`: the code of the letter, of 50. */
const PARTITION = 3

function clientOf(bootstrapServers: string): Kafka {
  const retry = { retries: 10, initialRetryTime: 50, maxRetryTime: 500 }
  return new Kafka({ brokers: bootstrapServers.split(','), logLevel: logLevel.NOTHING, retry })
}

/** Has the group `g` read a record of the topic `t`, and commit that. */
async function readOnce(kafka: Kafka): Promise<void> {
  const [producer, consumer] = [kafka.producer(), kafka.consumer({ groupId: 'g', maxWaitTimeInMs: 100 })]
  await using clients = new AsyncDisposableStack()
  for (const client of [producer, consumer]) {
    clients.defer(() => client.disconnect())
    await client.connect()
  }
  await producer.send({ topic: 't', messages: [{ value: 'beer' }] })
  await consumer.subscribe({ topic: 't', fromBeginning: true })
  await new Promise<void>((resolve, reject) => {
    consumer.on(consumer.events.COMMIT_OFFSETS, () => resolve())
    consumer.run({ autoCommitThreshold: 1, eachMessage: async () => {} }).catch(reject)
  })
}

/** What the group's partition of the log has, by keys without their kind: `g` is the group itself. */
async function readLog(kafka: Kafka, count: number): Promise<{ key: string; value: Buffer | null }[]> {
  const consumer = kafka.consumer({ groupId: 'tool', maxWaitTimeInMs: 100 })
  await using clients = new AsyncDisposableStack()
  clients.defer(() => consumer.disconnect())
  await consumer.connect()
  await consumer.subscribe({ topic: TOPIC, fromBeginning: true })
  const found: { key: string; value: Buffer | null }[] = []
  await consumer.run({
    autoCommit: false,
    async eachMessage({ partition, message: { key, value } }) {
      if (partition === PARTITION) found.push({ key: String(key?.subarray(4)), value })
    },
  })
  await waitFor(() => found.length >= count)
  return found
}

describe('decisions 3.106: __consumer_offsets, as clients read it', () => {
  it('has a group with its member, what it commits, and the group when it has none', async () => {
    await using broker = await startEmbeddedKafka()
    const kafka = clientOf(broker.bootstrapServers)
    await readOnce(kafka)
    const [joined, committed, left] = await readLog(kafka, 3)
    expect(joined?.key).toBe('g')
    // Version 3, the kind of group, the first generation; then the protocol, and the member twice: as leader, and in the list.
    expect(joined?.value?.subarray(0, 16)).toEqual(Buffer.from('\0\x03\0\x08consumer\0\0\0\x01'))
    expect(joined?.value?.toString('latin1')).toMatch(
      /RoundRobinAssigner.*(kafkajs-[-0-9a-f]{36}).*\1.*\/127\.0\.0\.1/s,
    )
    expect(committed?.key).toBe('g\0\x01t\0\0\0\0')
    expect(committed?.value?.readBigInt64BE(2)).toBe(1n)
    // The second generation has no protocol, no leader and no members.
    expect(left?.key).toBe('g')
    expect(left?.value?.subarray(12, 20).toString('hex')).toBe('00000002ffffffff')
    expect(left?.value?.readInt32BE(28)).toBe(0)
  })

  it('has it in as many bytes as Apache Kafka 4.1.0, says kcat', { tags: 'kcat' }, async () => {
    await using broker = await startEmbeddedKafka()
    await readOnce(clientOf(broker.bootstrapServers))
    const from = ['-b', broker.bootstrapServers, '-C', '-t', TOPIC, '-p', String(PARTITION), '-o', 'beginning']
    expect(await kcat([...from, '-e', '-q', '-f', '%K:%S '])).toMatch(/^5:\d+ 12:24 5:32 $/)
  })

  it('is there when the coordinator of the group is killed', async () => {
    await using cluster = await startEmbeddedKafka({ brokers: 3 })
    const kafka = clientOf(cluster.bootstrapServers)
    await readOnce(kafka)
    const leader = (await leaders(kafka)).get(PARTITION)
    await cluster.brokers.find(({ nodeId }) => nodeId === leader)?.kill()
    expect((await leaders(kafka)).get(PARTITION)).not.toBe(leader)
    expect((await readLog(kafka, 3)).map(({ key }) => key)).toEqual(['g', 'g\0\x01t\0\0\0\0', 'g'])
  })
})

async function leaders(kafka: Kafka): Promise<ReadonlyMap<number, number>> {
  const admin = kafka.admin()
  await using clients = new AsyncDisposableStack()
  clients.defer(() => admin.disconnect())
  await admin.connect()
  const { topics } = await admin.fetchTopicMetadata({ topics: [TOPIC] })
  return new Map(topics[0]?.partitions.map(({ partitionId, leader }) => [partitionId, leader]))
}
