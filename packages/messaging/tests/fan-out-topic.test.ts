import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTopicAdmin } from '../src/index.ts'
import { startBroker, type TestBroker, unique } from './broker.ts'
import { createGate, numbered, openTexts, storedOffset } from './fan-out-parts.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

/** Writes transactions in this order, each with a last word. */
async function writeTransactions(topic: string, ...all: readonly { values: readonly string[]; commit: boolean }[]) {
  const producer = broker.kafka.kafkajs.producer({ transactionalId: unique('writer'), maxInFlightRequests: 1 })
  await producer.connect()
  for (const { values, commit } of all) {
    const transaction = await producer.transaction()
    for (const value of values) await transaction.send({ topic, messages: [{ value }] })
    await (commit ? transaction.commit() : transaction.abort())
  }
  await producer.disconnect()
}

async function deleteBefore(topic: string, offset: number) {
  const admin = broker.kafka.kafkajs.admin()
  await admin.connect()
  // It asks the leader, of which this one learns so.
  await admin.fetchTopicOffsets(topic)
  await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: String(offset) }] })
  await admin.disconnect()
}

const headersOf = (count: number) => Object.fromEntries(numbered(count, 'h').map((name) => [name, 'x']))

describe.concurrent('a message that cannot be read', () => {
  it('is told to each subscription once, and its place goes on', async () => {
    const topic = await broker.makeTopic()
    const groups = [unique('group'), unique('group')]
    const producer = broker.kafka.kafkajs.producer()
    await producer.connect()
    const messages = [
      { value: 'a' },
      { value: 'unreadable' },
      { value: 'b' },
      { value: 'undecodable', headers: headersOf(2000) },
      { value: 'c' },
    ]
    for (const message of messages) await producer.send({ topic, messages: [message] })
    await producer.disconnect()
    await using fanOut = openTexts(broker.kafka, topic)
    const subscriptions = groups.map((groupId) =>
      fanOut.subscribe(groupId, {
        wants: (text) => ['a', 'c'].includes(text),
      }),
    )
    for (const groupId of groups) {
      await waitFor('the last offset', async () => (await storedOffset(broker, groupId, topic)) === '5')
    }
    for (const { seen, unreadable } of subscriptions) {
      expect(seen).toEqual(['a', 'c'])
      expect(unreadable).toMatchObject([{ offset: '1', error: { message: 'unreadable' } }, { offset: '3' }])
      expect(unreadable[1]?.error).toBeInstanceOf(Error)
    }
    expect(fanOut.reads).toEqual(['a', 'unreadable', 'b', 'c'])
  })
})

describe.concurrent('a topic under a fan-out', () => {
  it('that was deleted and created again is read from its first message', async () => {
    const topic = await broker.makeTopic()
    const groups = [unique('group'), unique('group')]
    await broker.write(topic, ...numbered(20, 'old-'))
    await using fanOut = openTexts(broker.kafka, topic)
    const subscriptions = groups.map((groupId) => fanOut.subscribe(groupId))
    for (const groupId of groups) {
      await waitFor('the offset', async () => (await storedOffset(broker, groupId, topic)) === '20')
    }
    await using admin = createTopicAdmin(broker.kafka)
    await admin.deleteTopic(topic)
    await waitFor('the topic to be there again', async () => {
      await admin.ensureTopic(topic, 1)
      return (await admin.endOffsets(topic))[0] === '0'
    })
    await broker.write(topic, ...numbered(5, 'new-'))
    await waitFor('its messages', () => subscriptions.every(({ seen }) => seen.length >= 25))
    for (const { seen } of subscriptions) expect(seen).toEqual([...numbered(20, 'old-'), ...numbered(5, 'new-')])
  })

  it('of which records were deleted while it was closed goes on at what is there', async () => {
    const topic = await broker.makeTopic()
    const groupId = unique('group')
    await broker.write(topic, ...numbered(3))
    {
      await using first = openTexts(broker.kafka, topic)
      const { seen } = first.subscribe(groupId)
      await waitFor('the first three', () => seen.length >= 3)
    }
    await broker.write(topic, ...numbered(12).slice(3))
    await deleteBefore(topic, 8)
    await using second = openTexts(broker.kafka, topic)
    const { seen } = second.subscribe(groupId)
    await waitFor('what is there', () => seen.length >= 4)
    expect(seen).toEqual(['8', '9', '10', '11'])
  })

  it('of which records were deleted before one that is behind has read them goes on at what is there', async () => {
    const topic = await broker.makeTopic()
    const gate = createGate()
    await using fanOut = openTexts(broker.kafka, topic)
    const slow = fanOut.subscribe(unique('group'), gate)
    const fast = fanOut.subscribe(unique('group'))
    const values = numbered(600).map((text) => text.padEnd(3000))
    await broker.write(topic, ...values)
    await waitFor('the fast one', () => fast.seen.length >= 600)
    await waitFor('the other to be behind', () => slow.places.isBehind)
    await deleteBefore(topic, 550)
    gate.open()
    await waitFor('it to catch up', () => slow.seen.includes(values[599] ?? '') && !slow.places.isBehind)
    const offsets = slow.seen.map(Number)
    expect(offsets).toEqual([...new Set(offsets)].sort((a, b) => a - b))
    expect(offsets.filter((offset) => offset >= 550)).toEqual(numbered(600).slice(550).map(Number))
    expect(offsets).not.toContain(549)
    await broker.write(topic, 'new')
    await waitFor('the new one', () => slow.seen.at(-1) === 'new')
  })

  it('with transactions shows those that were committed, also to one that reads by itself', async () => {
    const topic = await broker.makeTopic()
    const large = numbered(4).map((text) => `aborted-${text}`.padEnd(300_000))
    await writeTransactions(
      topic,
      { values: ['a', 'b'], commit: true },
      { values: large, commit: false },
      { values: ['c'], commit: true },
      { values: ['aborted'], commit: false },
    )
    await using fanOut = openTexts(broker.kafka, topic)
    const early = fanOut.subscribe(unique('group'))
    await waitFor('the first', () => early.seen.length >= 3)
    const late = fanOut.subscribe(unique('group'))
    await waitFor('the other', () => late.seen.length >= 3 && !late.places.isBehind)
    await writeTransactions(topic, { values: ['d'], commit: true }, { values: ['aborted'], commit: false })
    await writeTransactions(topic, { values: ['e'], commit: true })
    for (const { seen } of [early, late]) {
      await waitFor('the last', () => seen.length >= 5)
      expect(seen).toEqual(['a', 'b', 'c', 'd', 'e'])
    }
  })

  it('whose last transaction is open is read on when it ends', async () => {
    const topic = await broker.makeTopic()
    await broker.write(topic, 'a')
    const producer = broker.kafka.kafkajs.producer({ transactionalId: unique('writer'), maxInFlightRequests: 1 })
    await producer.connect()
    const transaction = await producer.transaction()
    await transaction.send({ topic, messages: [{ value: 'b' }] })
    const [groupId, readers] = [unique('group'), unique('readers')]
    await using fanOut = openTexts(broker.kafka, topic, { groupId: readers })
    const { seen } = fanOut.subscribe(groupId)
    await waitFor('the first', () => seen.length >= 1)
    await transaction.commit()
    await producer.disconnect()
    await broker.write(topic, 'c')
    await waitFor('the others', () => seen.length >= 3)
    expect(seen).toEqual(['a', 'b', 'c'])
  })
})
