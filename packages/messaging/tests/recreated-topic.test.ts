import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTopicAdmin, openIncoming, openTransform } from '../src/index.ts'
import type { StoredOffset } from '../src/kafka/stored-offset.ts'
import { startBroker, type TestBroker, textOf, unique } from './broker.ts'
import { channelOf, readCommitted } from './exactly-once.ts'
import { openTexts } from './fan-out-parts.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

const valuesOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index}`)

/** Deletes the topic and creates it again, with these values. */
async function recreate(topic: string, values: readonly string[]) {
  await using admin = createTopicAdmin(broker.kafka)
  await admin.deleteTopic(topic)
  // While it is being deleted Kafka refuses a topic of this name.
  await waitFor('the new topic', () =>
    admin.ensureTopic(topic).then(
      () => true,
      () => false,
    ),
  )
  await broker.write(topic, ...values)
}

async function untilStored(groupId: string, topic: string, offset: string) {
  await using admin = createTopicAdmin(broker.kafka)
  await waitFor('the stored offset', async () => (await admin.committedOffsets(groupId, topic))[0] === offset)
}

async function store(groupId: string, topic: string, stored: StoredOffset | undefined) {
  const admin = broker.kafka.kafkajs.admin()
  await admin.connect()
  if (stored !== undefined) await admin.setOffsets({ groupId, topic, partitions: [{ partition: 0, ...stored }] })
  await admin.disconnect()
}

/** The new log is shorter than the old one, or longer, so that the old offset is in it. */
const LENGTHS = [
  ['a shorter', 5],
  ['a longer', 40],
] as const

describe.concurrent('decisions 3.142: a topic that is deleted and created again', () => {
  for (const [length, count] of LENGTHS) {
    for (const from of ['latest', 'earliest'] as const) {
      it(`is read from its beginning by a channel that began at the ${from}: ${length} one`, async () => {
        const [topic, groupId] = [await broker.makeTopic(), unique('group')]
        const seen = new Set<string>()
        const recreated = Promise.withResolvers<void>()
        await using incoming = openIncoming(broker.kafka, {
          ...{ channel: 'beers', topic, groupId, from, commitIntervalMs: 50 },
          // Busy meanwhile, it asks for no records while there is no topic.
          onMessage: async (message) => {
            seen.add(textOf(message))
            if (textOf(message) === 'old 19') await recreated.promise
          },
        })
        await incoming.assigned
        await broker.write(topic, ...valuesOf('old', 20))
        await waitFor('the last of the old topic', () => seen.size === 20)
        await recreate(topic, valuesOf('new', count))
        recreated.resolve()
        await waitFor('all of the new topic', () => valuesOf('new', count).every((value) => seen.has(value)))
      })
    }

    it(`is read from its beginning by the subscriptions of a fan-out: ${length} one`, async () => {
      const [topic, groupId] = [await broker.makeTopic(), unique('group')]
      await using fanOut = openTexts(broker.kafka, topic)
      const { seen } = fanOut.subscribe(groupId)
      await broker.write(topic, ...valuesOf('old', 20))
      await untilStored(groupId, topic, '20')
      await recreate(topic, [])
      // A commit for the old topic may come after Kafka has forgotten its offsets.
      await store(groupId, topic, { offset: '20', metadata: null })
      await broker.write(topic, ...valuesOf('new', count))
      await waitFor('all of the new topic', () => valuesOf('new', count).every((value) => seen.includes(value)))
      await untilStored(groupId, topic, String(count))
    })

    it(`that the transform itself had created is transformed from its beginning: ${length} one`, async () => {
      const topics = { input: unique('made-by-channel'), output: await broker.makeTopic(), groupId: unique('group') }
      await using transform = openTransform(broker.kafka, {
        ...channelOf(topics),
        transform: ({ value }) => [{ value: `${value} priced` }],
      })
      await transform.assigned
      await broker.write(topics.input, ...valuesOf('old', 20))
      await waitFor('the old topic', () => transform.counters.produced === 20)
      await recreate(topics.input, valuesOf('new', count))
      await waitFor('the new topic', () => transform.counters.produced === 20 + count)
      expect(transform.counters.consumed).toBe(20 + count)
    })

    it(`is transformed from its beginning, exactly once: ${length} one`, async () => {
      const topics = { input: await broker.makeTopic(), output: await broker.makeTopic(), groupId: unique('group') }
      await using transform = openTransform(broker.kafka, {
        ...channelOf(topics),
        transform: ({ value }) => [{ value: `${value} priced` }],
      })
      await broker.write(topics.input, ...valuesOf('old', 20))
      await waitFor('the old topic', () => transform.counters.produced === 20)
      await recreate(topics.input, valuesOf('new', count))
      const all = [...valuesOf('old', 20), ...valuesOf('new', count)].map((value) => `${value} priced`)
      expect((await readCommitted(broker, topics.output, all.length)).toSorted()).toEqual(all.toSorted())
    })

    it(`is read from its beginning by a channel that is opened later, whatever is stored of the old one: ${length} one`, async () => {
      const [topic, groupId] = [await broker.makeTopic(), unique('group')]
      const seen = new Set<string>()
      const open = () =>
        openIncoming(broker.kafka, {
          ...{ channel: 'beers', topic, groupId, from: 'latest', commitIntervalMs: 50 },
          onMessage: (message) => void seen.add(textOf(message)),
        })
      await using admin = createTopicAdmin(broker.kafka)
      {
        await using incoming = open()
        await incoming.assigned
        await broker.write(topic, ...valuesOf('old', 20))
        await untilStored(groupId, topic, '20')
      }
      const [stored] = await admin.storedOffsets(groupId, topic)
      await recreate(topic, valuesOf('new', count))
      // Kafka forgets the offsets of a topic that is deleted, but a commit may come after that.
      await store(groupId, topic, stored)
      await using _incoming = open()
      await waitFor('all of the new topic', () => valuesOf('new', count).every((value) => seen.has(value)))
    })
  }
})
