import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTopicAdmin, type IncomingMessage, openIncoming, openOutgoing } from '../src/index.ts'
import { startBroker, type TestBroker, unique } from './broker.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

async function makeTopic(partitions = 1): Promise<string> {
  const topic = unique('topic')
  await using admin = createTopicAdmin(broker.kafka)
  await admin.ensureTopic(topic, partitions)
  return topic
}

async function write(topic: string, ...values: string[]): Promise<void> {
  await using channel = openOutgoing(broker.kafka, { channel: 'writer', topic })
  for (const value of values) await channel.send({ key: value, value })
}

const textOf = (message: IncomingMessage) => String(message.value)

describe('channels', () => {
  it('carries key, value, headers and timestamp unchanged', async () => {
    const topic = await makeTopic()
    const seen: IncomingMessage[] = []
    await using incoming = openIncoming(broker.kafka, {
      channel: 'beers',
      topic,
      onMessage: (message) => void seen.push(message),
    })
    await incoming.assigned
    await using outgoing = openOutgoing(broker.kafka, { channel: 'beers', topic })
    await outgoing.send({ key: 'k', value: 'v', headers: { ce_id: '1', raw: Buffer.from('ü') }, timestamp: 1234 })
    await outgoing.send({ key: 'gone', value: null })
    await waitFor('two messages', () => seen.length === 2)
    expect(seen[0]).toMatchObject({
      topic,
      partition: 0,
      offset: '0',
      key: Buffer.from('k'),
      value: Buffer.from('v'),
      timestamp: 1234,
    })
    expect({ ...seen[0]?.headers }).toEqual({ ce_id: '1', raw: 'ü' })
    expect(seen[1]).toMatchObject({ key: Buffer.from('gone'), value: null, offset: '1' })
  })

  it('keeps the order of the calls of send', async () => {
    const topic = await makeTopic()
    await using outgoing = openOutgoing(broker.kafka, { channel: 'beers', topic })
    const values = Array.from({ length: 300 }, (_, index) => String(index))
    await Promise.all(values.map((value) => outgoing.send({ value })))
    const seen: string[] = []
    await using _incoming = openIncoming(broker.kafka, {
      channel: 'beers',
      topic,
      from: 'earliest',
      onMessage: (message) => void seen.push(textOf(message)),
    })
    await waitFor('all messages', () => seen.length === 300)
    expect(seen).toEqual(values)
    expect(outgoing.counters).toEqual({ sent: 300, dropped: 0, failed: 0 })
  })

  it('rejects the one message that Kafka refuses, not those sent with it', async () => {
    const topic = await makeTopic()
    await using outgoing = openOutgoing(broker.kafka, { channel: 'events', topic })
    await outgoing.send({ value: 'first' })
    const [small, large, smaller] = await Promise.allSettled(
      ['small', 'x'.repeat(3 * 1024 * 1024), 'smaller'].map((value) => outgoing.send({ value })),
    )
    expect(small).toMatchObject({ status: 'fulfilled', value: { accepted: true } })
    expect(large).toMatchObject({ status: 'rejected', reason: { code: 'SEND_REFUSED', channel: 'events' } })
    expect(smaller).toMatchObject({ status: 'fulfilled', value: { accepted: true } })
    expect(outgoing.counters).toEqual({ sent: 3, dropped: 0, failed: 1 })
    expect(await outgoing.check.check(AbortSignal.timeout(1000))).toMatchObject({ status: 'UP' })
  })

  it('decisions 1.42: two readers without a group each see every message', async () => {
    const topic = await makeTopic()
    const seen: [string[], string[]] = [[], []]
    await using first = openIncoming(broker.kafka, {
      channel: 'priced-beer',
      topic,
      onMessage: (message) => void seen[0].push(textOf(message)),
    })
    await using second = openIncoming(broker.kafka, {
      channel: 'priced-beer',
      topic,
      onMessage: (message) => void seen[1].push(textOf(message)),
    })
    await Promise.all([first.assigned, second.assigned])
    await write(topic, 'a', 'b')
    await waitFor('both have both', () => seen[0].length === 2 && seen[1].length === 2)
    expect(seen).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })

  it('decisions 1.43: latest begins with what is written after the assignment', async () => {
    const topic = await makeTopic()
    await write(topic, 'before')
    const seen: string[] = []
    await using incoming = openIncoming(broker.kafka, {
      channel: 'priced-beer',
      topic,
      onMessage: (message) => void seen.push(textOf(message)),
    })
    await incoming.assigned
    await write(topic, 'after')
    await waitFor('a message', () => seen.length > 0)
    expect(seen).toEqual(['after'])
  })

  it('stores offsets after the handler, so a second reader of the group goes on behind the first', async () => {
    const topic = await makeTopic()
    const groupId = unique('group')
    await write(topic, 'a', 'b')
    const seen: string[] = []
    const read = () =>
      openIncoming(broker.kafka, {
        channel: 'beers',
        topic,
        groupId,
        from: 'earliest',
        onMessage: (message) => void seen.push(textOf(message)),
      })
    {
      await using _first = read()
      await waitFor('the first two', () => seen.length === 2)
    }
    await write(topic, 'c')
    await using _second = read()
    await waitFor('the third', () => seen.length >= 3)
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  it('stores no offset beyond a message that is still in flight', async () => {
    const topic = await makeTopic()
    const groupId = unique('group')
    await write(topic, 'slow', 'fast-1', 'fast-2')
    const done: string[] = []
    const release = Promise.withResolvers<void>()
    await using admin = createTopicAdmin(broker.kafka)
    await using incoming = openIncoming(broker.kafka, {
      channel: 'beers',
      topic,
      groupId,
      from: 'earliest',
      concurrency: 3,
      commitIntervalMs: 50,
      async onMessage(message) {
        if (textOf(message) === 'slow') await release.promise
        done.push(textOf(message))
      },
    })
    await waitFor('the fast ones', () => incoming.counters.acknowledged === 2)
    await waitFor('a stored offset', async () => (await admin.committedOffsets(groupId, topic))[0] === '0')
    release.resolve()
    await waitFor('the offset behind the last', async () => (await admin.committedOffsets(groupId, topic))[0] === '3')
    expect(done).toEqual(['fast-1', 'fast-2', 'slow'])
  })

  it('has at most `concurrency` messages in flight', async () => {
    const topic = await makeTopic(3)
    await write(topic, ...Array.from({ length: 40 }, (_, index) => String(index)))
    let inFlight = 0
    let most = 0
    await using incoming = openIncoming(broker.kafka, {
      channel: 'beers',
      topic,
      from: 'earliest',
      concurrency: 4,
      async onMessage() {
        inFlight += 1
        most = Math.max(most, inFlight)
        await new Promise(setImmediate)
        inFlight -= 1
      },
    })
    await waitFor('all of them', () => incoming.counters.acknowledged === 40)
    expect(most).toBe(4)
  })

  it('stays in its group while a handler takes longer than the session timeout', async () => {
    const topic = await makeTopic()
    await write(topic, 'slow', 'next', 'last')
    const release = Promise.withResolvers<void>()
    const seen: string[] = []
    await using incoming = openIncoming(broker.kafka, {
      channel: 'beers',
      topic,
      from: 'earliest',
      async onMessage(message) {
        seen.push(textOf(message))
        if (textOf(message) === 'slow') await release.promise
      },
    })
    await waitFor('the slow one', () => seen.length === 1)
    const startedAt = Date.now()
    await waitFor('the session timeout to be over', () => Date.now() - startedAt > 7500, { timeoutMs: 9000 })
    expect(await incoming.check.check(AbortSignal.timeout(1000))).toMatchObject({ status: 'UP' })
    release.resolve()
    await waitFor('the others', () => seen.length === 3)
    expect(seen).toEqual(['slow', 'next', 'last'])
    expect(incoming.counters.restarts).toBe(0)
  })

  it('a rebalance neither loses nor repeats what is in flight', async () => {
    const topic = await makeTopic(4)
    const groupId = unique('group')
    const values = Array.from({ length: 60 }, (_, index) => String(index))
    await write(topic, ...values.slice(0, 40))
    const release = Promise.withResolvers<void>()
    const open = (seen: string[]) =>
      openIncoming(broker.kafka, {
        channel: 'beers',
        topic,
        groupId,
        from: 'earliest',
        concurrency: 100,
        async onMessage(message) {
          seen.push(textOf(message))
          await release.promise
        },
      })
    const seenByFirst: string[] = []
    const seenBySecond: string[] = []
    await using first = open(seenByFirst)
    await waitFor('forty in flight', () => seenByFirst.length === 40)
    await using second = open(seenBySecond)
    await second.assigned
    await waitFor('the first to have two partitions', async () => {
      return (await first.check.check(AbortSignal.timeout(1000))).data?.['partitions'] === 2
    })
    release.resolve()
    await write(topic, ...values.slice(40))
    await waitFor('every message', () => new Set([...seenByFirst, ...seenBySecond]).size === 60)
    // What the first gave away comes again to the second; what it kept comes to nobody again.
    expect(new Set(seenByFirst).size).toBe(seenByFirst.length)
    expect(new Set(seenBySecond).size).toBe(seenBySecond.length)
    expect([first.counters.restarts, second.counters.restarts]).toEqual([0, 0])
  })

  it('deletes a generated group when the channel is closed', async () => {
    const topic = await makeTopic()
    const incoming = openIncoming(broker.kafka, { channel: 'beers', topic, onMessage: () => undefined })
    await incoming.assigned
    await using admin = createTopicAdmin(broker.kafka)
    expect(await admin.committedOffsets(incoming.groupId, topic)).toEqual(['0'])
    await incoming[Symbol.asyncDispose]()
    expect(await admin.committedOffsets(incoming.groupId, topic)).toEqual([undefined])
  })

  it('lets the handler in flight finish before it closes, and not one more', async () => {
    const topic = await makeTopic()
    await write(topic, 'a', 'b')
    const release = Promise.withResolvers<void>()
    const finished: string[] = []
    const incoming = openIncoming(broker.kafka, {
      channel: 'beers',
      topic,
      from: 'earliest',
      async onMessage(message) {
        await release.promise
        finished.push(textOf(message))
      },
    })
    await waitFor('a handler', () => incoming.counters.received === 1)
    const closing = incoming[Symbol.asyncDispose]()
    release.resolve()
    await closing
    expect(finished).toEqual(['a'])
  })

  it('aborts the handler that outlasts the grace', async () => {
    const topic = await makeTopic()
    await write(topic, 'a')
    const aborted = Promise.withResolvers<void>()
    const incoming = openIncoming(broker.kafka, {
      channel: 'beers',
      topic,
      from: 'earliest',
      graceMs: 50,
      onMessage: (_message, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted.resolve()
            reject(new Error('aborted'))
          })
        }),
    })
    await waitFor('a handler', () => incoming.counters.received === 1)
    await incoming[Symbol.asyncDispose]()
    await aborted.promise
    expect(incoming.counters).toMatchObject({ received: 1, acknowledged: 0, failed: 0 })
  })
})
