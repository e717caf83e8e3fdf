import { setTimeout } from 'node:timers/promises'
import { waitFor, withProgress } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKafka, createTopicAdmin, type IncomingChannel, openIncoming } from '../src/index.ts'
import { startBroker, type TestBroker, textOf, unique } from './broker.ts'
import { joinAsDeafMember } from './deaf-member.ts'
import { silentLog } from './silent-log.ts'

/** Sessions that outlast the pauses of a busy machine. */
const MEMBER = { clientId: 'member', sessionTimeoutMs: 20_000 }

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

/**
 * A member of a group, with what it saw: each message with the assignment of its partition under which it came. A busy machine may make Kafka
 * take a partition away and give it back, after which its messages rightly come again.
 */
function openMember(
  { bootstrapServers }: TestBroker,
  { onMessage, ...options }: { topic: string; groupId: string; onMessage: () => Promise<void> },
) {
  const seen: { readonly text: string; readonly assignment: string }[] = []
  const assignments = new Map<number, number>()
  let held: readonly number[] = []
  const info = (fields: object) => {
    if (!('partitions' in fields)) return
    const given = fields.partitions as readonly number[]
    for (const partition of given) {
      if (!held.includes(partition)) assignments.set(partition, (assignments.get(partition) ?? 0) + 1)
    }
    held = given
  }
  const kafka = createKafka({ ...MEMBER, bootstrapServers, log: { ...silentLog, info } })
  const channel: IncomingChannel = openIncoming(kafka, {
    channel: 'beers',
    from: 'earliest',
    concurrency: 100,
    ...options,
    async onMessage(message) {
      const { partition } = message
      const assignment = `${channel.counters.restarts}.${assignments.get(partition)} of ${partition}`
      seen.push({ text: textOf(message), assignment })
      await onMessage()
    },
  })
  return { channel, seen, [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose]() }
}

/** Closes a channel. False when it may have given up, as it does after 1.5 s of a Kafka that does not answer: the group then waits for it. */
async function hasLeft(channel: AsyncDisposable): Promise<boolean> {
  const startedAt = performance.now()
  await channel[Symbol.asyncDispose]()
  return performance.now() - startedAt < 1000
}

describe.concurrent('an incoming channel in its group', () => {
  it('decisions 3.59: leaves a group that it is just joining: nobody waits for its session to end', async () => {
    const topic = await broker.makeTopic()
    const { bootstrapServers } = broker
    // Who waited for a session to end would make no progress.
    const kafka = createKafka({ clientId: 'brief', bootstrapServers, log: silentLog, sessionTimeoutMs: 300_000 })
    let groupId = unique('group')
    const open = () => openIncoming(kafka, { channel: 'brief', topic, groupId, onMessage: () => undefined })
    for (let ms = 0; ms < 60; ms += 3) {
      await waitFor('a Kafka that answers in time', async () => {
        const brief = open()
        await setTimeout(ms)
        if (await hasLeft(brief)) return true
        groupId = unique('group')
        return false
      })
    }
    await using reader = open()
    await withProgress(reader.assigned, 'the assignment')
  })

  it('decisions 3.59: is no member any more when it is closed while its group waits for another', async () => {
    const topic = await broker.makeTopic()
    const { bootstrapServers, kafka } = broker
    const brief = createKafka({ clientId: 'brief', bootstrapServers, log: silentLog, sessionTimeoutMs: 300_000 })
    await using resources = new AsyncDisposableStack()
    const admin = kafka.kafkajs.admin()
    await admin.connect()
    resources.defer(() => admin.disconnect())
    // A Kafka that takes longer than the channel waits for it, because the machine is busy, has another group to show it with.
    await waitFor('a group that it has left', async () => {
      const groupId = unique('group')
      await using _deaf = await joinAsDeafMember(broker, groupId, topic)
      const members = async () => (await admin.describeGroups([groupId])).groups[0]?.members.length
      {
        await using _brief = openIncoming(brief, { channel: 'brief', topic, groupId, onMessage: () => undefined })
        await waitFor('both to be members', async () => (await members()) === 2)
      }
      return (await members()) === 1
    })
  })

  it('stores offsets after the handler, so a second reader of the group goes on behind the first', async () => {
    const topic = await broker.makeTopic()
    const groupId = unique('group')
    await broker.write(topic, 'a', 'b')
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
      await waitFor('the first two', () => seen.length >= 2)
    }
    await broker.write(topic, 'c')
    await using _second = read()
    await waitFor('the third', () => seen.length >= 3)
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  it('stays in its group while a handler takes longer than the session timeout', async () => {
    const { bootstrapServers } = broker
    const kafka = createKafka({ clientId: 'slow', bootstrapServers, log: silentLog, sessionTimeoutMs: 10_000 })
    const topic = await broker.makeTopic()
    await broker.write(topic, 'slow', 'next', 'last')
    const release = Promise.withResolvers<void>()
    const seen: string[] = []
    await using incoming = openIncoming(kafka, {
      channel: 'beers',
      topic,
      from: 'earliest',
      async onMessage(message) {
        seen.push(textOf(message))
        if (textOf(message) === 'slow') await release.promise
      },
    })
    await waitFor('the slow one', () => seen.length >= 1)
    const { restarts } = incoming.counters
    const startedAt = Date.now()
    await waitFor(
      'the session timeout to be over',
      () => Date.now() - startedAt > 1.2 * kafka.groupTiming.sessionTimeoutMs,
    )
    expect(await incoming.check.check(AbortSignal.timeout(30_000))).toMatchObject({ status: 'UP' })
    release.resolve()
    await waitFor('the others', () => seen.length >= 3)
    expect(seen).toEqual(['slow', 'next', 'last'])
    expect(incoming.counters.restarts).toBe(restarts)
  })

  it('a rebalance neither loses nor repeats what is in flight', async () => {
    const topic = await broker.makeTopic(4)
    const groupId = unique('group')
    const values = Array.from({ length: 60 }, (_, index) => String(index))
    await broker.write(topic, ...values.slice(0, 40))
    const release = Promise.withResolvers<void>()
    await using first = openMember(broker, { topic, groupId, onMessage: () => release.promise })
    const textsOf = (...members: (typeof first)[]) =>
      new Set(members.flatMap(({ seen }) => seen.map(({ text }) => text)))
    await waitFor('forty in flight', () => textsOf(first).size === 40)
    await using second = openMember(broker, { topic, groupId, onMessage: () => release.promise })
    await second.channel.assigned
    await waitFor('the first to have two partitions', async () => {
      return (await first.channel.check.check(AbortSignal.timeout(30_000))).data?.['partitions'] === 2
    })
    release.resolve()
    await broker.write(topic, ...values.slice(40))
    await waitFor('every message', () => textsOf(first, second).size === 60)
    // What the first gave away comes again to the second; what it kept comes to nobody again.
    for (const { seen } of [first, second]) {
      const found = seen.map(({ text, assignment }) => `${text} in ${assignment}`)
      expect(found).toEqual([...new Set(found)])
    }
  })

  it('stores before a rebalance what was handled, so that nobody gets it again', async () => {
    const values = Array.from({ length: 60 }, (_, index) => String(index))
    /** What both members saw, and whether Kafka lost one of them meanwhile, as it may on a busy machine: then messages rightly come again. */
    async function rebalance() {
      const topic = await broker.makeTopic(4)
      const groupId = unique('group')
      await broker.write(topic, ...values.slice(0, 40))
      const seen: string[] = []
      const open = () =>
        openIncoming(broker.kafka, {
          channel: 'beers',
          topic,
          groupId,
          from: 'earliest',
          // Nothing is stored by the clock.
          commitIntervalMs: 600_000,
          onMessage: (message) => void seen.push(textOf(message)),
        })
      await using first = open()
      await waitFor('forty handled', () => first.counters.acknowledged >= 40)
      await using second = open()
      await second.assigned
      await broker.write(topic, ...values.slice(40))
      await waitFor('every message', () => new Set(seen).size === 60)
      await waitFor('a message for the second', () => second.counters.acknowledged > 0)
      return { seen, wasLost: first.counters.restarts + second.counters.restarts > 0 }
    }
    const { seen } = await waitFor('a rebalance without a lost member', async () => {
      const { seen, wasLost } = await rebalance()
      return !wasLost && { seen }
    })
    expect(seen).toHaveLength(60)
  })

  it('deletes a generated group when the channel is closed', async () => {
    const topic = await broker.makeTopic()
    const incoming = openIncoming(broker.kafka, { channel: 'beers', topic, onMessage: () => undefined })
    await incoming.assigned
    await using admin = createTopicAdmin(broker.kafka)
    expect(await admin.committedOffsets(incoming.groupId, topic)).toEqual(['0'])
    await incoming[Symbol.asyncDispose]()
    await waitFor('its end', async () => (await admin.committedOffsets(incoming.groupId, topic))[0] === undefined)
  })
})
