import { setImmediate } from 'node:timers/promises'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChannelClosedError, createKafka, createTopicAdmin, openFanOut } from '../src/index.ts'
import { startBroker, type TestBroker, unique } from './broker.ts'
import { createGate, numbered, openTexts, storedOffset, type TextSubscription } from './fan-out-parts.ts'
import { recordLog } from './recorded-log.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

describe.concurrent('a fan-out', () => {
  it('gives every subscription every message once and in order, and reads each message once', async () => {
    const topic = await broker.makeTopic()
    await broker.write(topic, ...numbered(150))
    await using fanOut = openTexts(broker.kafka, topic)
    const all = numbered(5).map(() => fanOut.subscribe(unique('group')))
    await waitFor('all in all', () => all.every(({ seen }) => seen.length >= 150))
    await broker.write(topic, ...numbered(150, 'late-'))
    await waitFor('the later ones in all', () => all.every(({ seen }) => seen.length >= 300))
    const expected = [...numbered(150), ...numbered(150, 'late-')]
    for (const { seen } of all) expect(seen).toEqual(expected)
    expect(fanOut.reads).toEqual(expected)
  })

  it('stores offsets for each group, also of what it refuses: a second one handles nothing again', async () => {
    const topic = await broker.makeTopic()
    const [all, none] = [unique('group'), unique('group')]
    await broker.write(topic, ...numbered(50))
    {
      await using first = openTexts(broker.kafka, topic)
      const taking = first.subscribe(all)
      const refusing = first.subscribe(none, { wants: () => false })
      await waitFor('all of them', () => taking.seen.length >= 50 && first.reads.length >= 50)
      expect(refusing.seen).toEqual([])
    }
    expect(await storedOffset(broker, all, topic)).toBe('50')
    expect(await storedOffset(broker, none, topic)).toBe('50')
    await using second = openTexts(broker.kafka, topic)
    const subscriptions = [second.subscribe(all), second.subscribe(none)]
    await broker.write(topic, 'new')
    await waitFor('the new one', () => subscriptions.every(({ seen }) => seen.length > 0))
    for (const { seen } of subscriptions) expect(seen).toEqual(['new'])
  })

  it('stores offsets while it is open, and none beyond a message in flight', async () => {
    const topic = await broker.makeTopic()
    const groupId = unique('group')
    await broker.write(topic, ...numbered(5))
    const gate = createGate((text) => text === '2')
    await using fanOut = openTexts(broker.kafka, topic)
    const subscription = fanOut.subscribe(groupId, { ...gate, concurrency: 5 })
    await waitFor('all in flight', () => subscription.seen.length >= 5)
    await waitFor('an offset', async () => (await storedOffset(broker, groupId, topic)) === '2')
    gate.open()
    await waitFor('the last offset', async () => (await storedOffset(broker, groupId, topic)) === '5')
  })

  it('logs what a handler throws and goes on', async () => {
    const topic = await broker.makeTopic()
    const groupId = unique('group')
    const { log, text } = recordLog()
    const kafka = createKafka({ clientId: 'failing', bootstrapServers: broker.bootstrapServers, log })
    await broker.write(topic, 'fails', 'next')
    await using fanOut = openTexts(kafka, topic)
    const { seen } = fanOut.subscribe(groupId, {
      async onMessage(value) {
        if (value === 'fails') throw new Error('no such beer')
      },
    })
    await waitFor('both', async () => (await storedOffset(broker, groupId, topic)) === '2')
    expect(seen).toEqual(['fails', 'next'])
    expect(text()).toMatch(/message handler failed, ignored[\s\S]*no such beer/)
  })

  it('lets a handler finish when it is closed; one that its end aborts comes again', async () => {
    const topic = await broker.makeTopic()
    const [patient, aborted] = [unique('group'), unique('group')]
    await broker.write(topic, 'a', 'b')
    const gate = createGate()
    const first = openTexts(broker.kafka, topic)
    const subscriptions = [
      first.subscribe(patient, { ...gate, graceMs: 60_000 }),
      first.subscribe(aborted, {
        graceMs: 0,
        onMessage: (_text, _message, signal) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
      }),
    ]
    await waitFor('both handlers', () => subscriptions.every(({ seen }) => seen.length > 0))
    const closing = first[Symbol.asyncDispose]()
    gate.open()
    await closing
    expect(subscriptions.map(({ seen }) => seen)).toEqual([['a'], ['a']])
    await using second = openTexts(broker.kafka, topic)
    const [rest, again] = [second.subscribe(patient), second.subscribe(aborted)]
    await waitFor('the rest', () => rest.seen.length >= 1 && again.seen.length >= 2)
    expect([rest.seen, again.seen]).toEqual([['b'], ['a', 'b']])
  })

  it('is refused options that cannot be', async () => {
    const options = { channel: 'texts', topic: 'topic', groupId: 'group', read: String }
    for (const wrong of [{ topic: '' }, { groupId: 'a b' }, { commitIntervalMs: 0 }]) {
      expect(() => openFanOut(broker.kafka, { ...options, ...wrong })).toThrow(RangeError)
    }
    await using fanOut = openFanOut(broker.kafka, { ...options, topic: await broker.makeTopic() })
    const handlers = { groupId: 'group', onMessage: async () => undefined, onUnreadable: () => undefined }
    for (const wrong of [{ groupId: '' }, { concurrency: 0 }, { bufferBytes: 0.5 }, { graceMs: -1 }]) {
      expect(() => fanOut.subscribe({ ...handlers, ...wrong })).toThrow(RangeError)
    }
  })

  it('has no more subscriptions when it is closed', async () => {
    const fanOut = openTexts(broker.kafka, await broker.makeTopic())
    await fanOut[Symbol.asyncDispose]()
    await fanOut[Symbol.asyncDispose]()
    expect(() => fanOut.subscribe(unique('group'))).toThrow(ChannelClosedError)
  })
})

describe.concurrent('a subscription of a fan-out', () => {
  const LARGE = 'x'.repeat(900_000)

  it('whose handler hangs holds up nobody, reads by itself, and then has missed and repeated nothing', async () => {
    const topic = await broker.makeTopic()
    const gate = createGate((text) => text === '7')
    await using fanOut = openTexts(broker.kafka, topic)
    const slow = fanOut.subscribe(unique('group'), gate)
    const fast = fanOut.subscribe(unique('group'))
    await broker.write(topic, ...numbered(500))
    await waitFor('all in the fast one', () => fast.seen.length >= 500)
    expect(fast.seen).toEqual(numbered(500))
    expect([slow.places.isBehind, fast.places.isBehind]).toEqual([true, false])
    gate.open()
    await waitFor('all in the slow one', () => slow.seen.length >= 500)
    await waitFor('it to have caught up', () => !slow.places.isBehind)
    const before = fanOut.reads.length
    await broker.write(topic, ...numbered(50, 'late-'))
    await waitFor('the later ones', () => slow.seen.length >= 550 && fast.seen.length >= 550)
    const expected = [...numbered(500), ...numbered(50, 'late-')]
    expect(slow.seen).toEqual(expected)
    expect(fast.seen).toEqual(expected)
    expect(fanOut.reads.slice(before)).toEqual(numbered(50, 'late-'))
  })

  it('keeps the order while messages are written and it catches up again and again', async () => {
    const topic = await broker.makeTopic()
    await using fanOut = openTexts(broker.kafka, topic)
    const timesBehind = { slow: 0, wide: 0 }
    const slow: TextSubscription = fanOut.subscribe(unique('group'), {
      async onMessage() {
        if (slow.places.isBehind) timesBehind.slow += 1
        for (let turn = 0; turn < 3; turn += 1) await setImmediate()
      },
    })
    const wide: TextSubscription = fanOut.subscribe(unique('group'), {
      concurrency: 7,
      async onMessage() {
        if (wide.places.isBehind) timesBehind.wide += 1
        for (let turn = 0; turn < 20; turn += 1) await setImmediate()
      },
    })
    const values = numbered(1500)
    for (let begin = 0; begin < 1500; begin += 500) await broker.write(topic, ...values.slice(begin, begin + 500))
    await waitFor('all', () => slow.seen.length >= 1500 && wide.seen.length >= 1500)
    expect(slow.seen).toEqual(values)
    expect(wide.seen).toEqual(values)
    expect([timesBehind.slow > 0, timesBehind.wide > 0]).toEqual([true, true])
  })

  it('reads by itself when 4 MiB wait for it', async () => {
    const topic = await broker.makeTopic()
    const gate = createGate()
    await using fanOut = openTexts(broker.kafka, topic)
    const slow = fanOut.subscribe(unique('group'), gate)
    const fast = fanOut.subscribe(unique('group'))
    const texts = numbered(7).map((text) => `${text}${LARGE}`)
    await broker.write(topic, ...texts)
    await waitFor('all in the fast one', () => fast.seen.length >= 7)
    expect([slow.places.isBehind, fast.places.isBehind]).toEqual([true, false])
    gate.open()
    await waitFor('all in the slow one', () => slow.seen.length >= 7)
    expect(slow.seen.map((text) => text[0])).toEqual(numbered(7))
  })

  it('begins at the offset of its group, however far behind; without one at the first message', async () => {
    const topic = await broker.makeTopic()
    const values = numbered(1500)
    await broker.write(topic, ...values)
    await using admin = createTopicAdmin(broker.kafka)
    const groups = new Map([1490, 750, 10].map((offset) => [unique('group'), offset]))
    for (const [groupId, offset] of groups) await admin.storeOffsets(groupId, topic, [String(offset)])
    groups.set(unique('group'), 0)
    await using fanOut = openTexts(broker.kafka, topic)
    const open = ([groupId, offset]: [string, number]) => ({ ...fanOut.subscribe(groupId), offset })
    const early = [...groups].slice(0, 2).map(open)
    await waitFor('the first two', () => early.every(({ seen, offset }) => seen.length >= 1500 - offset))
    const late = [...groups].slice(2).map(open)
    await waitFor('those that came later', () => late.every(({ seen, offset }) => seen.length >= 1500 - offset))
    await broker.write(topic, 'new')
    for (const { seen, offset } of [...early, ...late]) {
      await waitFor('the new one', () => seen.includes('new'))
      expect(seen).toEqual([...values.slice(offset), 'new'])
    }
  })

  it('closes alone; the others go on', async () => {
    const topic = await broker.makeTopic()
    const [closed, other] = [unique('group'), unique('group')]
    await using fanOut = openTexts(broker.kafka, topic)
    const [first, second] = [fanOut.subscribe(closed), fanOut.subscribe(other)]
    await broker.write(topic, 'a')
    await waitFor('the first', () => first.seen.length === 1 && second.seen.length === 1)
    await first[Symbol.asyncDispose]()
    expect(await storedOffset(broker, closed, topic)).toBe('1')
    await broker.write(topic, 'b')
    await waitFor('the second', () => second.seen.length === 2)
    expect(first.seen).toEqual(['a'])
    const again = fanOut.subscribe(closed)
    await waitFor('what it has missed', () => again.seen.length >= 1)
    expect(again.seen).toEqual(['b'])
  })
})
