import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTopicAdmin, openOutgoing, openTransform } from '../src/index.ts'
import { startBroker, type TestBroker, textOf, unique } from './broker.ts'
import { channelOf, readCommitted } from './exactly-once.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

/** More than a block of Snappy or LZ4 has, and far more than the topics take of a batch as it is sent. */
const LONG = 'a long beer list, '.repeat(10_000)
const SETTINGS = { maxMessageBytes: 20_000 }

async function makeTopics() {
  const topics = { input: unique('topic'), output: unique('topic'), groupId: unique('group') }
  await using admin = createTopicAdmin(broker.kafka)
  for (const topic of [topics.input, topics.output]) await admin.ensureTopic(topic, 1, SETTINGS)
  return topics
}

describe.concurrent('messages that are sent', () => {
  it.for(['gzip', 'snappy', 'lz4', 'zstd'] as const)(
    'with %s are stored so, and read',
    async (compression, { expect }) => {
      const topics = await makeTopics()
      await using outgoing = openOutgoing(broker.kafka, { channel: 'beers', topic: topics.input, compression })
      await outgoing.send({ value: LONG })
      await using transform = openTransform(broker.kafka, {
        ...{ ...channelOf(topics), compression },
        transform: (message) => [{ value: `${textOf(message)}priced` }],
      })
      await waitFor('the output', () => transform.counters.produced === 1)
      expect(await readCommitted(broker, topics.output, 1)).toEqual([`${LONG}priced`])
    },
  )

  it('with `none` are stored as they are', async () => {
    const { input: topic } = await makeTopics()
    await using outgoing = openOutgoing(broker.kafka, { channel: 'beers', topic, compression: 'none' })
    await expect(outgoing.send({ value: LONG })).rejects.toMatchObject({ code: 'CHANNEL_SEND_REFUSED' })
  })

  it('with a compression that Kafka lacks are not sent: the channel is not opened', () => {
    const compression = 'brotli' as 'zstd'
    expect(() => openOutgoing(broker.kafka, { channel: 'beers', compression })).toThrow(
      'compression must be one of none, gzip, snappy, lz4, zstd, received "brotli"',
    )
  })
})
