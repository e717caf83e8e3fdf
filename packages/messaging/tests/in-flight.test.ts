import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTopicAdmin, openIncoming } from '../src/index.ts'
import { startBroker, type TestBroker, textOf, unique } from './broker.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

describe.concurrent('messages in flight', () => {
  it('stores no offset beyond a message that is still in flight', async () => {
    const topic = await broker.makeTopic()
    const groupId = unique('group')
    await broker.write(topic, 'slow', 'fast-1', 'fast-2')
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
    await waitFor('the fast ones', () => incoming.counters.acknowledged >= 2)
    await waitFor('a stored offset', async () => (await admin.committedOffsets(groupId, topic))[0] === '0')
    release.resolve()
    await waitFor('the offset behind the last', async () => (await admin.committedOffsets(groupId, topic))[0] === '3')
    expect(done).toEqual(['fast-1', 'fast-2', 'slow'])
  })

  it('has at most `concurrency` messages in flight', async () => {
    const topic = await broker.makeTopic(3)
    await broker.write(topic, ...Array.from({ length: 40 }, (_, index) => String(index)))
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
    await waitFor('all of them', () => incoming.counters.acknowledged >= 40)
    expect(most).toBe(4)
  })

  it('lets the handler in flight finish before it closes, and not one more', async () => {
    const topic = await broker.makeTopic()
    await broker.write(topic, 'a', 'b')
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
    await waitFor('a handler', () => incoming.counters.received >= 1)
    const closing = incoming[Symbol.asyncDispose]()
    release.resolve()
    await closing
    expect(finished).toEqual(['a'])
  })

  it('aborts the handler that outlasts the grace', async () => {
    const topic = await broker.makeTopic()
    await broker.write(topic, 'a')
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
    await waitFor('a handler', () => incoming.counters.received >= 1)
    await incoming[Symbol.asyncDispose]()
    await aborted.promise
    expect(incoming.counters).toMatchObject({ received: 1, acknowledged: 0, failed: 0 })
  })
})
