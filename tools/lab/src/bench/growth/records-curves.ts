import { Kafka, logLevel } from 'kafkajs'
import { type Contender, perCpuSecond } from '../../harness/contender.ts'
import { startKafka } from '../broker.ts'
import { createCounter } from '../counter.ts'
import type { Curve } from './curve.ts'

const SIZES = [1, 10, 100]
/** Records of all partitions together, in one measurement. */
const RECORDS = 20_000
/** To each partition, in one request of the producer: one with more partitions has more records. */
const OF_A_BATCH = 10
const VALUE = 'x'.repeat(1024)

interface Layout {
  readonly topics: number
  readonly partitions: number
}

/** Topics with one partition. */
export async function openTopicsCurve(opened: AsyncDisposableStack): Promise<Curve> {
  return {
    of: 'topics',
    what: 'CPU time of embedded-kafka for a record of 1 KiB to each topic, written and read',
    points: await records((topics) => ({ topics, partitions: 1 }), opened),
  }
}

/** Partitions of one topic. */
export async function openPartitionsCurve(opened: AsyncDisposableStack): Promise<Curve> {
  return {
    of: 'partitions',
    what: 'CPU time of embedded-kafka for a record of 1 KiB to each partition of a topic, written and read',
    points: await records((partitions) => ({ topics: 1, partitions }), opened),
  }
}

async function records(layoutOf: (size: number) => Layout, opened: AsyncDisposableStack): Promise<Curve['points']> {
  const points = SIZES.map(async (size) => {
    return { size, calls: size, contender: await openRecords(layoutOf(size), opened) }
  })
  return await Promise.all(points)
}

/** Records per second of the CPU time of a broker of their own, in memory, with one producer and one consumer. */
async function openRecords({ topics, partitions }: Layout, opened: AsyncDisposableStack): Promise<Contender> {
  const { url, pid } = opened.use(await startKafka())
  const kafka = new Kafka({ clientId: 'bench', brokers: [new URL(url).host], logLevel: logLevel.NOTHING })
  const names = Array.from({ length: topics }, (_, index) => `records-${index}`)
  const admin = kafka.admin()
  await admin.connect()
  await admin.createTopics({ topics: names.map((topic) => ({ topic, numPartitions: partitions })) })
  await admin.disconnect()
  const producer = kafka.producer()
  await producer.connect()
  opened.defer(() => producer.disconnect())
  const reader = await openReader(kafka, names, opened)

  const messages = Array.from({ length: partitions * OF_A_BATCH }, (_, index) => {
    return { partition: index % partitions, value: VALUE }
  })
  const topicMessages = names.map((topic) => ({ topic, messages }))
  const ofARequest = topics * messages.length
  return perCpuSecond(`${topics} topics with ${partitions} partitions`, [pid], async () => {
    const all = reader.next(RECORDS)
    for (let sent = 0; sent < RECORDS; sent += ofARequest) await producer.sendBatch({ topicMessages })
    await all
    return RECORDS
  })
}

/** Reads all records of the topics, from their first on. */
async function openReader(kafka: Kafka, topics: string[], opened: AsyncDisposableStack) {
  const consumer = kafka.consumer({ groupId: 'bench' })
  await consumer.connect()
  opened.defer(() => consumer.disconnect())
  await consumer.subscribe({ topics, fromBeginning: true })
  const read = createCounter()
  await consumer.run({ autoCommit: false, eachBatch: async ({ batch }) => read.add(batch.messages.length) })
  return read
}
