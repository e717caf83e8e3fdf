import { waitFor } from '@taproom/testkit'
import { CompressionTypes, type Message } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTopicAdmin, openIncoming, openTransform } from '../src/index.ts'
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
/** Takes a few KiB in the log and 17 MiB when it is decompressed. */
const BOMB = Buffer.alloc(17 * 1024 * 1024)

const HOSTILE: Readonly<Record<string, { readonly message: Message; readonly compression?: CompressionTypes }>> = {
  'two thousand headers': { message: { value: 'hostile', headers: MANY_HEADERS } },
  'a batch of 17 MiB when decompressed': { message: { value: BOMB }, compression: CompressionTypes.GZIP },
}

/** Writes each message in a batch of its own, as another producer would. */
async function write(topic: string, ...messages: readonly { message: Message; compression?: CompressionTypes }[]) {
  const producer = broker.kafka.kafkajs.producer()
  await producer.connect()
  for (const { message, compression = CompressionTypes.None } of messages) {
    await producer.send({ topic, messages: [message], compression })
  }
  await producer.disconnect()
}

const plain = (value: string) => ({ message: { value } })

for (const [name, hostile] of Object.entries(HOSTILE)) {
  describe.concurrent(`a record of ${name}`, () => {
    let topic: string
    beforeAll(async () => {
      topic = await broker.makeTopic()
      await write(topic, plain('first'), hostile, plain('last'))
    })

    for (const failureStrategy of ['fail', 'ignore'] as const) {
      it(`is set aside with the strategy ${failureStrategy}, and what follows is read`, async () => {
        const groupId = unique('group')
        const seen: string[] = []
        await using incoming = openIncoming(broker.kafka, {
          channel: 'beers',
          topic,
          groupId,
          from: 'earliest',
          commitIntervalMs: 50,
          failureStrategy,
          onMessage: (message) => void seen.push(textOf(message)),
        })
        await waitFor('all three', () => incoming.counters.acknowledged >= 3)
        expect(seen).toEqual(['first', 'last'])
        expect(incoming.counters).toMatchObject({ received: 2, unreadable: 1, failed: 0 })
        expect(await incoming.liveness.check(AbortSignal.timeout(30_000))).toEqual({ status: 'UP' })
        await using admin = createTopicAdmin(broker.kafka)
        await waitFor('the offset behind it', async () => (await admin.committedOffsets(groupId, topic))[0] === '3')
      })
    }

    it('is written to the dead-letter topic with its origin', async () => {
      const deadLetterTopic = unique('dead')
      await using incoming = openIncoming(broker.kafka, {
        channel: 'beers',
        topic,
        from: 'earliest',
        failureStrategy: 'dead-letter-queue',
        deadLetterTopic,
        onMessage: () => undefined,
      })
      await waitFor('the dead letter', () => incoming.counters.deadLettered >= 1)
      await using dead = broker.read(deadLetterTopic)
      await waitFor('a reader', () => dead.messages.length >= 1)
      expect(dead.messages[0]?.headers).toMatchObject({ 'dead-letter-topic': topic, 'dead-letter-offset': '1' })
      expect(dead.messages[0]?.headers['dead-letter-reason']).not.toBe('')
      expect(dead.messages[0]?.value).not.toBeNull()
    })

    it('is set aside by a transform, which goes on', async () => {
      const topics = { ...(await makeTopics(broker, 1)), input: topic }
      await using transform = openTransform(broker.kafka, {
        ...channelOf(topics),
        transform: ({ value }) => [{ value: `${value} priced` }],
      })
      expect(await readCommitted(broker, topics.output, 2)).toEqual(['first priced', 'last priced'])
      expect(transform.counters).toMatchObject({ consumed: 3, produced: 2, unreadable: 1 })
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
    await write(topic, { message: { value: 'v', headers } })
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
    await write(topic, { message: { value: Buffer.alloc(1_048_500) } }, plain('next'))
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

  it('is an output that becomes nothing, and the messages beside it are transformed', async () => {
    const topics = await makeTopics(broker, 1)
    await broker.write(topics.input, '1', 'large', '2')
    await using transform = openTransform(broker.kafka, {
      ...channelOf(topics),
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
