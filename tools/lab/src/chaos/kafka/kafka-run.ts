import { setTimeout as delay } from 'node:timers/promises'
import { waitFor } from '@taproom/testkit'
import { Kafka, logLevel } from 'kafkajs'
import { killAtRandom } from '../../harness/kill-loop.ts'
import type { Random } from '../../harness/random.ts'
import { type Report, tally } from '../report.ts'
import { checkLog } from './check-log.ts'
import { checkPairs } from './check-pairs.ts'
import type { Append, End, PairedTransaction, Position, Read } from './history.ts'
import { appending, askingForEnds, committedOffset, committing, GROUPS, LOG, PAIRS, pairing, reading } from './load.ts'
import { createProgress } from './progress.ts'
import { startVictims } from './victims.ts'

export interface KafkaRunOptions {
  /** 1: a process. More: brokers of a cluster in this process, which are killed one by one. */
  readonly brokers: number
  readonly kills: number
  readonly random: Random
  /** The longest time between two kills; the shortest is a quarter of this. */
  readonly pauseMs: number
  readonly signal: AbortSignal
}

const AWAY_MS = 300
const LAST = 'last'
/** Far longer than the slowest machine takes: clients that get nothing done for so long never will. */
const STANDSTILL_MS = 180_000

/** Kills brokers of embedded-kafka under idempotent and transactional load, and checks the history of all clients record by record. */
export async function runKafka({ brokers, kills, random, pauseMs, signal }: KafkaRunOptions): Promise<Report> {
  await using target = await startVictims(brokers)
  const kafka = new Kafka({
    clientId: 'chaos',
    brokers: [...target.addresses],
    logLevel: logLevel.NOTHING,
    retry: { retries: 1000, initialRetryTime: 30, maxRetryTime: 300 },
  })
  const admin = kafka.admin()
  await admin.connect()
  for (const { topic, partitions } of [LOG, PAIRS]) {
    await admin.createTopics({ topics: [{ topic, numPartitions: partitions }], waitForLeaders: true })
  }
  const [appends, reads, ends, positions, transactions]: [Append[], Read[], End[], Position[], PairedTransaction[]] = [
    [],
    [],
    [],
    [],
    [],
  ]
  const over = new AbortController()
  const isOver = (): boolean => over.signal.aborted || signal.aborted
  const reader = await reading(kafka, LOG.topic, 'while it is written', reads)
  const clients = [
    ...appending(kafka, appends),
    askingForEnds(kafka, ends),
    ...committing(kafka, positions),
    pairing(kafka, transactions),
  ].map((steps) => steps(isOver))
  let count = 0
  const progress = createProgress({ appends, ends, positions, transactions })
  const isNext = () => progress.isMade() || over.signal.aborted
  const killed = await killAtRandom({
    victims: target.victims,
    random,
    pauseMs: { min: pauseMs / 4, max: pauseMs },
    awayMs: AWAY_MS,
    over: over.signal,
    signal,
    async onKill() {
      // However slow the machine is, all clients get on between two kills, which come at any moment of theirs.
      await waitFor('work of every client between two kills', isNext, { timeoutMs: STANDSTILL_MS })
      await delay(random.next() * pauseMs)
      // Another kill that waited at the same time may have come before this one, and may have been the last.
      await waitFor('work of every client since the last kill', isNext, { timeoutMs: STANDSTILL_MS })
      if (over.signal.aborted) return false
      progress.startOver()
      count += 1
      if (count >= kills) over.abort()
      return true
    },
  })
  await Promise.all(clients)
  await reader[Symbol.asyncDispose]()

  const log = await readWhole(kafka, LOG)
  const pairs = await readWhole(kafka, PAIRS)
  const numbers = (index: number) =>
    pairs.filter(({ partition }) => partition === index).map(({ value }) => Number(value))
  const groupOffset = await committedOffset(admin, GROUPS.pairs, PAIRS.topic)
  await admin.disconnect()
  const committed = transactions.filter(({ outcome }) => outcome === 'commit').length
  const idle = [appends, reads, ends, positions].some((list) => list.length === 0) || committed === 0
  return {
    title: `kafka: ${count} kills of ${brokers === 1 ? 'the broker' : `${brokers} brokers`}`,
    facts: {
      kills: tally(killed),
      'acknowledged records': appends.length,
      'read meanwhile': reads.length,
      'ends asked for': ends.length,
      'offsets committed and fetched': positions.length,
      'transactions committed': committed,
      'aborted, or of unknown outcome': transactions.length - committed,
    },
    findings: [
      ...target.failures(),
      ...(idle ? ['a client did nothing'] : []),
      ...checkLog({ appends, reads, ends, positions, log }),
      ...checkPairs(transactions, [numbers(0), numbers(1)], groupOffset),
    ],
  }
}

/** All that `read_committed` readers see of a topic, in the order of each partition. */
async function readWhole(kafka: Kafka, { topic, partitions }: typeof LOG | typeof PAIRS): Promise<readonly Read[]> {
  const producer = kafka.producer()
  await producer.connect()
  for (let partition = 0; partition < partitions; partition += 1) {
    await producer.send({ topic, messages: [{ partition, value: LAST }] })
  }
  await producer.disconnect()
  const reads: Read[] = []
  await using _reader = await reading(kafka, topic, `all of ${topic}`, reads)
  const ended = () => new Set(reads.flatMap(({ partition, value }) => (value === LAST ? [partition] : [])))
  await waitFor(`the end of ${topic}`, () => ended().size === partitions, { timeoutMs: 60_000 })
  // After a broken connection records may come again: those of one offset are one record.
  const byPlace = new Map(reads.map((read) => [`${read.partition} ${read.offset}`, read]))
  return [...byPlace.values()].filter(({ value }) => value !== LAST)
}
