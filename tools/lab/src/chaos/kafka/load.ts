import { setTimeout as delay } from 'node:timers/promises'
import kafkajs, { type Kafka, type Producer } from 'kafkajs'
import type { Append, End, PairedTransaction, Position, Read } from './history.ts'

export const LOG = { topic: 'log', partitions: 3 } as const
/** Two partitions, with as many leaders where there are. */
export const PAIRS = { topic: 'pairs', partitions: 2 } as const
export const GROUPS = { positions: 'positions', pairs: 'pairs' } as const

/** A step of a client, again and again until it is over. What it throws ends the run. */
type Steps = (isOver: () => boolean) => Promise<void>

const now = (): number => performance.now()
const INSIST_TIMES = 1000
const INSIST_EVERY_MS = 20

/** Again and again: many requests of kafkajs are not repeated when the broker is killed. */
export async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (let left = INSIST_TIMES; ; left -= 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof kafkajs.KafkaJSError) || left === 0) throw error
      await delay(INSIST_EVERY_MS)
    }
  }
}

/** Two idempotent producers for each partition: what is acknowledged, and where. */
export function appending(kafka: Kafka, appends: Append[]): Steps[] {
  return [0, 1, 2, 3, 4, 5].map((writer) => async (isOver) => {
    const partition = writer % LOG.partitions
    const make = () => kafka.producer({ idempotent: true, maxInFlightRequests: 1 })
    let producer = make()
    await insist(() => producer.connect())
    for (let count = 0; !isOver(); count += 1) {
      const value = `${writer} ${count}`
      const invoked = now()
      try {
        const [written] = await producer.send({ topic: LOG.topic, acks: -1, messages: [{ partition, value }] })
        appends.push({ partition, value, offset: Number(written?.baseOffset), invoked, returned: now() })
      } catch (error) {
        if (!(error instanceof kafkajs.KafkaJSError)) throw error
        appends.push({ partition, value, offset: undefined, invoked, returned: Number.POSITIVE_INFINITY })
        await producer.disconnect().catch(() => undefined)
        producer = make()
        await insist(() => producer.connect())
      }
    }
    await producer.disconnect()
  })
}

/** A consumer of what the producers write; what comes after it is disposed of is not noted. */
export async function reading(kafka: Kafka, topic: string, groupId: string, reads: Read[]) {
  let isOver = false
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 100, sessionTimeout: 6000, heartbeatInterval: 500 })
  await insist(() => consumer.connect())
  await insist(() => consumer.subscribe({ topic, fromBeginning: true }))
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ partition, message }) => {
      // A consumer of kafkajs that is joining its group again finishes that, and reads on, after `disconnect()`.
      if (isOver) return
      reads.push({ partition, offset: Number(message.offset), value: String(message.value), at: now() })
    },
  })
  return {
    [Symbol.asyncDispose]: () => {
      isOver = true
      return consumer.disconnect()
    },
  }
}

/** Asks for the ends of all partitions. */
export function askingForEnds(kafka: Kafka, ends: End[]): Steps {
  return async (isOver) => {
    const admin = kafka.admin()
    await insist(() => admin.connect())
    while (!isOver()) {
      let invoked = 0
      const offsets = await insist(() => {
        invoked = now()
        return admin.fetchTopicOffsets(LOG.topic)
      })
      const returned = now()
      for (const { partition, high } of offsets) ends.push({ partition, offset: Number(high), invoked, returned })
    }
    await admin.disconnect()
  }
}

/** Commits one offset after the other, and fetches them meanwhile. */
export function committing(kafka: Kafka, positions: Position[]): Steps[] {
  const groupId = GROUPS.positions
  return [
    async (isOver) => {
      const producers = transactional(kafka, 'positions')
      const commit = async (offset: number): Promise<void> => {
        try {
          const transaction = await (await producers.current()).transaction()
          const partitions = [{ partition: 0, offset: String(offset) }]
          await transaction.sendOffsets({ consumerGroupId: groupId, topics: [{ topic: LOG.topic, partitions }] })
          await transaction.commit()
        } catch (cause) {
          await producers.giveUp()
          throw new kafkajs.KafkaJSError(cause instanceof Error ? cause : String(cause))
        }
      }
      // In transactions: kafkajs' other ways to commit also end well when a kill kept them from it.
      for (let offset = 1; !isOver(); offset += 1) {
        const invoked = now()
        await insist(() => commit(offset))
        positions.push({ kind: 'commit', offset, invoked, returned: now() })
      }
      await producers.giveUp()
    },
    async (isOver) => {
      const admin = kafka.admin()
      await insist(() => admin.connect())
      while (!isOver()) {
        let invoked = 0
        const offset = await insist(() => {
          invoked = now()
          return committedOffset(admin, groupId, LOG.topic)
        })
        positions.push({ kind: 'fetch', offset, invoked, returned: now() })
      }
      await admin.disconnect()
    },
  ]
}

/** The committed offset of partition 0, or -1. */
export async function committedOffset(admin: ReturnType<Kafka['admin']>, groupId: string, topic: string) {
  const [found] = await admin.fetchOffsets({ groupId, topics: [topic] })
  return Number(found?.partitions.find(({ partition }) => partition === 0)?.offset ?? -1)
}

const ABORTED_OF = 4

/** Writes each number to two partitions and commits it for a group, in one transaction; where that fails, another producer goes on. */
export function pairing(kafka: Kafka, transactions: PairedTransaction[]): Steps {
  return async (isOver) => {
    const producers = transactional(kafka, 'pairs')
    for (let number = 0; !isOver(); number += 1) {
      const intended = number % ABORTED_OF === ABORTED_OF - 1 ? 'abort' : 'commit'
      let outcome: PairedTransaction['outcome'] = 'abort'
      try {
        const transaction = await (await producers.current()).transaction()
        // Each partition by itself: a request of kafkajs to two leaders may lose what one of them was sent.
        for (const partition of [0, 1]) {
          await transaction.send({ topic: PAIRS.topic, messages: [{ partition, value: String(number) }] })
        }
        const partitions = [{ partition: 0, offset: String(number) }]
        await transaction.sendOffsets({ consumerGroupId: GROUPS.pairs, topics: [{ topic: PAIRS.topic, partitions }] })
        outcome = undefined
        if (intended === 'commit') await transaction.commit()
        else await transaction.abort()
        outcome = intended
      } catch {
        // A kill came at a moment from which kafkajs does not recover: its successor aborts what is open.
        await producers.giveUp()
      }
      // An abort without an answer counts as one: nothing else was asked for.
      transactions.push({ number, outcome: intended === 'abort' ? 'abort' : outcome })
    }
    await producers.giveUp()
  }
}

/** A transactional producer, and another one after it was given up. */
function transactional(kafka: Kafka, transactionalId: string) {
  let producer: Producer | undefined
  return {
    async current(): Promise<Producer> {
      if (producer !== undefined) return producer
      const made = kafka.producer({ transactionalId, idempotent: true, maxInFlightRequests: 1 })
      await made.connect()
      producer = made
      return made
    },
    async giveUp(): Promise<void> {
      await producer?.disconnect().catch(() => undefined)
      producer = undefined
    },
  }
}
