import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IncomingMessage, type OutgoingMessage, openIncoming, openOutgoing } from '../src/index.ts'
import { startBroker, type TestBroker, textOf } from './broker.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

describe.concurrent('channels', () => {
  it('carries key, value, headers and timestamp unchanged', async () => {
    const topic = await broker.makeTopic()
    // Not older than the topic's retention: Kafka would delete the message, perhaps before it is read.
    const timestamp = Date.now() - 60_000
    const seen: IncomingMessage[] = []
    await using incoming = openIncoming(broker.kafka, {
      channel: 'beers',
      topic,
      onMessage: (message) => void seen.push(message),
    })
    await incoming.assigned
    await using outgoing = openOutgoing(broker.kafka, { channel: 'beers', topic, timeoutMs: 90_000 })
    await outgoing.send({ key: 'k', value: 'v', headers: { ce_id: '1', raw: Buffer.from('ü') }, timestamp })
    await outgoing.send({ key: 'gone', value: null })
    await waitFor('two messages', () => seen.length >= 2)
    expect(seen[0]).toMatchObject({
      topic,
      partition: 0,
      offset: '0',
      key: Buffer.from('k'),
      value: Buffer.from('v'),
      timestamp,
    })
    expect({ ...seen[0]?.headers }).toEqual({ ce_id: '1', raw: 'ü' })
    expect(seen[1]).toMatchObject({ key: Buffer.from('gone'), value: null, offset: '1' })
  })

  it('refuses an invalid message at once, alone, and names its field', async () => {
    const topic = await broker.makeTopic()
    await using outgoing = openOutgoing(broker.kafka, { channel: 'beers', topic, overflow: 'drop', timeoutMs: 90_000 })
    await waitFor('the producer', async () => (await outgoing.check.check(AbortSignal.timeout(30_000))).status === 'UP')
    const bad = { value: undefined } as unknown as OutgoingMessage
    const [first, second, third] = await Promise.allSettled(
      [{ value: '1' }, bad, { value: '3' }].map((each) => outgoing.send(each)),
    )
    expect([first, third]).toEqual([1, 2].map(() => ({ status: 'fulfilled', value: { accepted: true } })))
    expect(second).toMatchObject({
      reason: { code: 'CHANNEL_INVALID_MESSAGE', message: expect.stringContaining('value must be') },
    })
    expect(outgoing.counters).toEqual({ sent: 2, dropped: 0, failed: 1 })
  })

  it('keeps the order of the calls of send', async () => {
    const topic = await broker.makeTopic()
    await using outgoing = openOutgoing(broker.kafka, { channel: 'beers', topic, timeoutMs: 90_000 })
    const values = Array.from({ length: 300 }, (_, index) => String(index))
    await Promise.all(values.map((value) => outgoing.send({ value })))
    const seen: string[] = []
    await using _incoming = openIncoming(broker.kafka, {
      channel: 'beers',
      topic,
      from: 'earliest',
      onMessage: (message) => void seen.push(textOf(message)),
    })
    await waitFor('all messages', () => seen.length >= 300)
    expect(seen).toEqual(values)
    expect(outgoing.counters).toEqual({ sent: 300, dropped: 0, failed: 0 })
  })

  it('rejects the one message that Kafka refuses, not those sent with it', async () => {
    const topic = await broker.makeTopic()
    await using outgoing = openOutgoing(broker.kafka, { channel: 'events', topic, timeoutMs: 90_000 })
    await outgoing.send({ value: 'first' })
    const [small, large, smaller] = await Promise.allSettled(
      ['small', 'x'.repeat(3 * 1024 * 1024), 'smaller'].map((value) => outgoing.send({ value })),
    )
    expect(small).toMatchObject({ status: 'fulfilled', value: { accepted: true } })
    expect(large).toMatchObject({ status: 'rejected', reason: { code: 'CHANNEL_SEND_REFUSED', channel: 'events' } })
    expect(smaller).toMatchObject({ status: 'fulfilled', value: { accepted: true } })
    expect(outgoing.counters).toEqual({ sent: 3, dropped: 0, failed: 1 })
    expect(await outgoing.check.check(AbortSignal.timeout(30_000))).toMatchObject({ status: 'UP' })
  })

  it('decisions 1.42: two readers without a group each see every message', async () => {
    const topic = await broker.makeTopic()
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
    await broker.write(topic, 'a', 'b')
    await waitFor('both have both', () => seen[0].length >= 2 && seen[1].length >= 2)
    expect(seen).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })

  it('decisions 1.43: latest begins with what is written after the assignment', async () => {
    const topic = await broker.makeTopic()
    await broker.write(topic, 'before')
    const seen: string[] = []
    await using incoming = openIncoming(broker.kafka, {
      channel: 'priced-beer',
      topic,
      onMessage: (message) => void seen.push(textOf(message)),
    })
    await incoming.assigned
    await broker.write(topic, 'after')
    await waitFor('a message', () => seen.length > 0)
    expect(seen).toEqual(['after'])
  })
})
