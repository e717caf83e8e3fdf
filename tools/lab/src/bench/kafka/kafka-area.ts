import { randomUUID } from 'node:crypto'
import { residentBytes } from '@taproom/testkit'
import { type Contender, contender } from '../../harness/contender.ts'
import { startStopwatch } from '../../harness/stopwatch.ts'
import type { Area, Row } from '../area.ts'
import { createCounter } from '../counter.ts'
import { type RunningKafka, type StartKafka, startApache, startEmbedded } from './brokers.ts'

const RECORDS = 40_000
const OF_A_BATCH = 100
const BATCHES_AT_ONCE = 8
const VALUE = 'x'.repeat(1024)
const TOPIC = 'records'
const GIBIBYTE = 1024 ** 3

/** embedded-kafka beside Apache Kafka in a container, one broker each, both on disk; kafkajs is the client of both. */
export async function openKafkaArea(opened: AsyncDisposableStack): Promise<Area> {
  const [ours, theirs] = [opened.use(await startEmbedded()), opened.use(await startApache())]
  for (const { kafka } of [ours, theirs]) await createTopic(kafka)
  const both = (
    what: string,
    make: (name: string, side: RunningKafka, start: StartKafka) => Contender,
    atLeast: number,
  ): Row => ({
    what,
    atLeast,
    ours: make('embedded-kafka', ours, startEmbedded),
    peer: make('Apache Kafka', theirs, startApache),
  })
  return {
    unit: 'records per CPU second; others as said',
    rows: [
      both('records produced', produce, 0.9),
      both('records consumed', consume, 0.7),
      both('starts per second, to the first answer', starts, 3),
      both('idle brokers in a gibibyte of memory', memory, 2.2),
    ],
  }
}

async function createTopic(kafka: RunningKafka['kafka']): Promise<void> {
  const admin = kafka.admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: 3 }], waitForLeaders: true })
  await admin.disconnect()
}

/** Records of 1 KiB in batches of 100 with acks=all, eight batches under way. */
function produce(name: string, { kafka, pid }: RunningKafka): Contender {
  const messages = Array.from({ length: OF_A_BATCH }, (_, key) => ({ key: String(key), value: VALUE }))
  return contender(name, async () => {
    const producer = kafka.producer()
    await producer.connect()
    const stopwatch = startStopwatch(pid)
    for (let sent = 0; sent < RECORDS; sent += OF_A_BATCH * BATCHES_AT_ONCE) {
      const batches = Array.from({ length: BATCHES_AT_ONCE }, () => producer.send({ topic: TOPIC, messages }))
      await Promise.all(batches)
    }
    const seconds = stopwatch()
    await producer.disconnect()
    return RECORDS / seconds
  })
}

/** The first records of the topic, by a group of its own. */
function consume(name: string, { kafka, pid }: RunningKafka): Contender {
  return contender(name, async () => {
    const consumer = kafka.consumer({ groupId: randomUUID() })
    await consumer.connect()
    await consumer.subscribe({ topic: TOPIC, fromBeginning: true })
    const read = createCounter()
    const all = read.next(RECORDS)
    const stopwatch = startStopwatch(pid)
    await consumer.run({ autoCommit: false, eachBatch: async ({ batch }) => read.add(batch.messages.length) })
    await all
    const seconds = stopwatch()
    await consumer.disconnect()
    return RECORDS / seconds
  })
}

function starts(name: string, _side: RunningKafka, start: StartKafka): Contender {
  return contender(name, async () => {
    const startedAt = performance.now()
    await using _started = await start()
    return 1000 / (performance.now() - startedAt)
  })
}

function memory(name: string, _side: RunningKafka, start: StartKafka): Contender {
  return contender(name, async () => {
    await using started = await start()
    return GIBIBYTE / residentBytes(started.pid)
  })
}
