import { randomUUID } from 'node:crypto'
import { residentBytes } from '@taproom/testkit'
import { type Contender, contender } from '../../harness/contender.ts'
import { startStopwatch } from '../../harness/stopwatch.ts'
import type { Area, Row } from '../area.ts'
import { createCounter } from '../counter.ts'
import { type RunningKafka, type StartKafka, startApache, startEmbedded } from './brokers.ts'

const BATCHES_AT_ONCE = 8
const PARTITIONS = 6
const GIBIBYTE = 1024 ** 3

/** The records of a topic, as many as each measurement writes or reads. */
interface Records {
  readonly topic: string
  readonly value: string
  readonly count: number
  readonly ofABatch: number
}

const LARGE: Records = { topic: 'large', value: 'x'.repeat(1024), count: 80_000, ofABatch: 100 }
const SMALL: Records = { topic: 'small', value: 'x'.repeat(100), count: 400_000, ofABatch: 1000 }

/** embedded-kafka beside Apache Kafka in a container, one broker each, both on disk; kafkajs is the client of both. */
export async function openKafkaArea(opened: AsyncDisposableStack): Promise<Area> {
  const [ours, theirs] = [opened.use(await startEmbedded()), opened.use(await startApache())]
  for (const { kafka } of [ours, theirs]) await createTopics(kafka)
  const both = (what: string, make: Make, atLeast: number): Row => ({
    what,
    atLeast,
    ours: make('embedded-kafka', ours, startEmbedded),
    peer: make('Apache Kafka', theirs, startApache),
  })
  return {
    unit: 'records per CPU second; others as said',
    rows: [
      both('records of 1 KiB produced', produce(LARGE), 1),
      both('records of 1 KiB consumed', consume(LARGE), 1),
      both('records of 100 bytes produced', produce(SMALL), 1),
      both('records of 100 bytes consumed', consume(SMALL), 1),
      both('starts per second, to the first answer', starts, 3),
      both('idle brokers in a gibibyte of memory', memory, 2.2),
    ],
  }
}

async function createTopics(kafka: RunningKafka['kafka']): Promise<void> {
  const admin = kafka.admin()
  await admin.connect()
  const topics = [LARGE, SMALL].map(({ topic }) => ({ topic, numPartitions: PARTITIONS }))
  await admin.createTopics({ topics, waitForLeaders: true })
  await admin.disconnect()
}

type Make = (name: string, side: RunningKafka, start: StartKafka) => Contender

/** In batches with acks=all, eight under way. */
function produce({ topic, value, count, ofABatch }: Records): Make {
  const messages = Array.from({ length: ofABatch }, (_, key) => ({ key: String(key), value }))
  return (name, { kafka, pid }) =>
    contender(name, async () => {
      const producer = kafka.producer()
      await producer.connect()
      const stopwatch = startStopwatch(pid)
      for (let sent = 0; sent < count; sent += ofABatch * BATCHES_AT_ONCE) {
        const batches = Array.from({ length: BATCHES_AT_ONCE }, () => producer.send({ topic, messages }))
        await Promise.all(batches)
      }
      const seconds = stopwatch()
      await producer.disconnect()
      return count / seconds
    })
}

/** The first records of the topic, by a group of its own. */
function consume({ topic, count }: Records): Make {
  return (name, { kafka, pid }) =>
    contender(name, async () => {
      const consumer = kafka.consumer({ groupId: randomUUID() })
      await consumer.connect()
      await consumer.subscribe({ topic, fromBeginning: true })
      const read = createCounter()
      const all = read.next(count)
      const stopwatch = startStopwatch(pid)
      await consumer.run({ autoCommit: false, eachBatch: async ({ batch }) => read.add(batch.messages.length) })
      await all
      const seconds = stopwatch()
      await consumer.disconnect()
      return count / seconds
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
