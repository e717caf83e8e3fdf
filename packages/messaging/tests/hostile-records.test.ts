import { waitFor } from '@taproom/testkit'
import { CompressionTypes, type Message } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createTopicAdmin,
  type IncomingChannel,
  type IncomingOptions,
  openIncoming,
  openTransform,
} from '../src/index.ts'
import { startBroker, type TestBroker, textOf, unique } from './broker.ts'
import { channelOf, makeTopics, readCommitted } from './exactly-once.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

const MANY_HEADERS = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`h${index}`, 'x']))
/** Fifty of them take a few KiB in the log and 17 MiB when they are decompressed. */
const ZEROS = { value: Buffer.alloc(360_000) }

interface Written {
  readonly messages: Message[]
  readonly compression?: CompressionTypes
}

const HOSTILE: Readonly<Record<string, Written>> = {
  'a record of two thousand headers': { messages: [{ value: 'hostile', headers: MANY_HEADERS }] },
  'a batch of fifty records, 17 MiB when decompressed': {
    messages: Array.from({ length: 50 }, () => ZEROS),
    compression: CompressionTypes.GZIP,
  },
}

/** Writes each batch as another producer would. */
async function write(topic: string, ...batches: readonly Written[]) {
  const producer = broker.kafka.kafkajs.producer()
  await producer.connect()
  for (const { messages, compression = CompressionTypes.None } of batches) {
    await producer.send({ topic, messages, compression })
  }
  await producer.disconnect()
}

const plain = (value: string) => ({ messages: [{ value }] })
const livenessOf = ({ liveness }: Pick<IncomingChannel, 'liveness'>) => liveness.check(AbortSignal.timeout(30_000))

for (const [name, hostile] of Object.entries(HOSTILE)) {
  const unreadable = hostile.messages.length
  describe.concurrent(name, () => {
    let topic: string
    beforeAll(async () => {
      topic = await broker.makeTopic()
      await write(topic, plain('first'), hostile, plain('last'))
    })

    const stored = async (groupId: string) => {
      await using admin = createTopicAdmin(broker.kafka)
      return (await admin.committedOffsets(groupId, topic))[0]
    }

    const open = (options: Pick<IncomingOptions, 'groupId' | 'failureStrategy' | 'deadLetterTopic'>) => {
      const seen: string[] = []
      const channel = openIncoming(broker.kafka, {
        ...{ channel: 'beers', topic, from: 'earliest', commitIntervalMs: 50, ...options },
        onMessage: (message) => void seen.push(textOf(message)),
      })
      return { seen, channel }
    }

    it('decisions 3.141: is passed over with `ignore`, counted and seen in health', async () => {
      const groupId = unique('group')
      const { seen, channel } = open({ groupId, failureStrategy: 'ignore' })
      await using incoming = channel
      await waitFor('all', () => incoming.counters.acknowledged >= unreadable + 2)
      expect(seen).toEqual(['first', 'last'])
      expect(incoming.counters).toMatchObject({ received: 2, unreadable, failed: 0 })
      const offsets = unreadable === 1 ? 'offset 1' : `offsets 1 to ${unreadable}`
      const lastUnreadable = expect.stringContaining(`${topic}, partition 0, ${offsets}: `)
      expect(await livenessOf(incoming)).toEqual({ status: 'UP', data: { unreadable, lastUnreadable } })
      await waitFor('the offset behind it', async () => (await stored(groupId)) === String(unreadable + 2))
    })

    it('decisions 3.141: stops the channel with `fail`, and is all read again after a restart', async () => {
      const groupId = unique('group')
      {
        const { seen, channel } = open({ groupId })
        await using incoming = channel
        await waitFor('the end', async () => (await livenessOf(incoming)).status === 'DOWN')
        expect(await livenessOf(incoming)).toMatchObject({ data: { unreadable, reason: expect.any(String) } })
        expect(seen).toEqual(['first'])
        expect(incoming.counters).toMatchObject({ acknowledged: 1, unreadable })
      }
      expect(await stored(groupId)).toBe('1')
      const { seen, channel } = open({ groupId, failureStrategy: 'ignore' })
      await using incoming = channel
      await waitFor('the rest', () => seen.length > 0)
      expect(seen).toEqual(['last'])
      expect(incoming.counters).toMatchObject({ unreadable })
    })

    it('is written to the dead-letter topic with its origin', async () => {
      const deadLetterTopic = unique('dead')
      const groupId = unique('group')
      await using incoming = open({ groupId, failureStrategy: 'dead-letter-queue', deadLetterTopic }).channel
      await waitFor('the dead letter', () => incoming.counters.deadLettered >= 1)
      await using dead = broker.read(deadLetterTopic)
      await waitFor('a reader', () => dead.messages.length >= 1)
      const origin = { 'dead-letter-topic': topic, 'dead-letter-offset': String(unreadable) }
      expect(dead.messages[0]?.headers).toMatchObject(origin)
      expect(dead.messages[0]?.headers['dead-letter-reason']).not.toBe('')
      expect(dead.messages[0]?.value).not.toBeNull()
    })

    it('is passed over by a transform with `ignore`', async () => {
      const topics = { ...(await makeTopics(broker, 1)), input: topic }
      await using transform = openTransform(broker.kafka, {
        ...{ ...channelOf(topics), failureStrategy: 'ignore' },
        transform: ({ value }) => [{ value: `${value} priced` }],
      })
      expect(await readCommitted(broker, topics.output, 2)).toEqual(['first priced', 'last priced'])
      expect(transform.counters).toMatchObject({ consumed: unreadable + 2, produced: 2, unreadable })
      expect(await livenessOf(transform)).toMatchObject({ status: 'UP', data: { unreadable } })
    })

    it('stops a transform with `fail` behind what came before it', async () => {
      const topics = { ...(await makeTopics(broker, 1)), input: topic }
      await using transform = openTransform(broker.kafka, {
        ...channelOf(topics),
        transform: ({ value }) => [{ value: `${value} priced` }],
      })
      await waitFor('the end', async () => (await livenessOf(transform)).status === 'DOWN')
      expect(transform.counters).toMatchObject({ consumed: 1, produced: 1, unreadable, failed: 0 })
      expect(await readCommitted(broker, topics.output, 1)).toEqual(['first priced'])
      expect(await stored(topics.groupId)).toBe('1')
    })
  })
}

describe.concurrent('a message whose headers have names of objects', () => {
  it('reaches its reader as it was written', async () => {
    const topic = await broker.makeTopic()
    const headers = Object.fromEntries([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ])
    await write(topic, { messages: [{ value: 'v', headers }] })
    await using read = broker.read(topic)
    await waitFor('the message', () => read.messages.length >= 1)
    expect(Object.entries(read.messages[0]?.headers ?? {})).toEqual(Object.entries(headers))
  })
})

describe.concurrent('what Kafka refuses as too large', () => {
  it('leaves a dead letter that says only where it was', async () => {
    const topic = await broker.makeTopic()
    const deadLetterTopic = unique('dead')
    // As it was it fits; with the reason it does not.
    await write(topic, { messages: [{ value: Buffer.alloc(1_048_500) }] }, plain('next'))
    await using incoming = openIncoming(broker.kafka, {
      channel: 'beers',
      topic,
      from: 'earliest',
      failureStrategy: 'dead-letter-queue',
      deadLetterTopic,
      onMessage() {
        throw new Error('never')
      },
    })
    await waitFor('both', () => incoming.counters.deadLettered >= 2)
    await using dead = broker.read(deadLetterTopic)
    await waitFor('both dead letters', () => dead.messages.length >= 2)
    expect(dead.messages.map(({ value }) => (value === null ? null : String(value)))).toEqual([null, 'next'])
    expect(dead.messages[0]?.headers).toMatchObject({ 'dead-letter-reason': 'never', 'dead-letter-offset': '0' })
  })

  it('is an output that becomes nothing with `ignore`, and the messages beside it are transformed', async () => {
    const topics = await makeTopics(broker, 1)
    await broker.write(topics.input, '1', 'large', '2')
    await using transform = openTransform(broker.kafka, {
      ...{ ...channelOf(topics), failureStrategy: 'ignore' },
      transform: ({ value }) => [{ value: String(value) === 'large' ? Buffer.alloc(2_000_000) : `${value} priced` }],
    })
    expect(await readCommitted(broker, topics.output, 2)).toEqual(['1 priced', '2 priced'])
    expect(transform.counters).toMatchObject({ consumed: 3, produced: 2, refused: 1 })
  })

  it('is not what many outputs are together', async () => {
    const topics = await makeTopics(broker, 1)
    await broker.write(topics.input, ...Array.from({ length: 8 }, (_, index) => String(index)))
    await using transform = openTransform(broker.kafka, {
      ...channelOf(topics),
      transform: ({ value }) => [{ key: 'k', value: `${value}${'.'.repeat(300_000)}` }],
    })
    await waitFor('all of them', () => transform.counters.consumed >= 8)
    expect(transform.counters).toMatchObject({ produced: 8, refused: 0 })
  })
})
