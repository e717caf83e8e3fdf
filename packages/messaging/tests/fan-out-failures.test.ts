import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKafka, createTopicAdmin, openOutgoing } from '../src/index.ts'
import { startBroker, type TestBroker, unique } from './broker.ts'
import { createGate, numbered, openTexts } from './fan-out-parts.ts'
import { recordLog } from './recorded-log.ts'
import { silentLog } from './silent-log.ts'
import { startStoppableBroker } from './stoppable-broker.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

/** A fan-out in a group of readers, with the number of partitions that it has. */
function openReader(topic: string, readers: string) {
  let partitions = 0
  const info = (fields: object) => {
    if ('partitions' in fields) partitions = (fields.partitions as readonly number[]).length
  }
  const { bootstrapServers } = broker
  const options = { clientId: 'fan-out', bootstrapServers, sessionTimeoutMs: 20_000, log: { ...silentLog, info } }
  return { fanOut: openTexts(createKafka(options), topic, { groupId: readers }), partitions: () => partitions }
}

describe.concurrent('fan-outs with one group of readers', () => {
  it('share the partitions: each message is handled by one of them, and when one is closed by the other', async () => {
    const topic = await broker.makeTopic(2)
    const [groupId, readers] = [unique('group'), unique('readers')]
    await using admin = createTopicAdmin(broker.kafka)
    const stored = async () =>
      (await admin.committedOffsets(groupId, topic)).reduce((sum, at) => sum + Number(at ?? 0), 0)
    const first = openReader(topic, readers)
    const seenByFirst = first.fanOut.subscribe(groupId).seen
    await broker.write(topic, ...numbered(40))
    await waitFor('the first forty', async () => (await stored()) === 40)
    const second = openReader(topic, readers)
    await using _second = second.fanOut
    const seenBySecond = second.fanOut.subscribe(groupId).seen
    await waitFor('a partition for each', () => first.partitions() === 1 && second.partitions() === 1)
    await broker.write(topic, ...numbered(80).slice(40))
    await waitFor('the next forty', async () => (await stored()) === 80)
    expect([...seenByFirst, ...seenBySecond].toSorted()).toEqual(numbered(80).toSorted())
    expect([seenByFirst.length > 40, seenBySecond.length > 0]).toEqual([true, true])
    await first.fanOut[Symbol.asyncDispose]()
    await broker.write(topic, ...numbered(120).slice(80))
    await waitFor('the last forty', async () => (await stored()) === 120)
    expect([...seenByFirst, ...seenBySecond].toSorted()).toEqual(numbered(120).toSorted())
    expect(seenBySecond).toEqual(expect.arrayContaining(numbered(120).slice(80)))
  })
})

describe('Kafka stopped and started again', () => {
  it('a fan-out goes on where it was, and handles nothing twice that was in flight meanwhile', async () => {
    const { log, text } = recordLog()
    await using stoppable = await startStoppableBroker(log)
    const { kafka } = stoppable
    await using admin = createTopicAdmin(kafka)
    await using outgoing = openOutgoing(kafka, { channel: 'topic', timeoutMs: 90_000 })
    await admin.ensureTopic('topic', 1)
    const write = async (...values: string[]) => {
      await Promise.all(values.map((value) => outgoing.send({ value })))
    }
    await using fanOut = openTexts(kafka, 'topic')
    const gate = createGate((text) => text === 'held')
    const quick = fanOut.subscribe('quick')
    const held = fanOut.subscribe('held', gate)
    const behind = fanOut.subscribe('behind', gate)
    await write('a', 'held', ...numbered(100))
    await waitFor('the offsets', async () => {
      const [[first], [second]] = [
        await admin.committedOffsets('quick', 'topic'),
        await admin.committedOffsets('held', 'topic'),
      ]
      return first === '102' && second === '1'
    })
    await stoppable.stop()
    await waitFor('the fan-out to notice', () => text().includes('kafka consumer failed'))
    const sent = write(...numbered(150, 'during-'))
    await stoppable.startAgain()
    await sent
    await waitFor('what was written meanwhile', () => quick.seen.length >= 252)
    await waitFor('those that are held', () => behind.places.isBehind)
    gate.open()
    const subscriptions = [quick, held, behind]
    await waitFor('all in all', () => subscriptions.every(({ seen, places }) => seen.length >= 252 && !places.isBehind))
    await write('last')
    await waitFor('the last', () => subscriptions.every(({ seen }) => seen.includes('last')))
    const read = await readAll(kafka)
    for (const { seen } of subscriptions) expect(seen).toEqual(read)
  })
})

async function readAll(kafka: Parameters<typeof openTexts>[0]): Promise<readonly string[]> {
  await using fanOut = openTexts(kafka, 'topic')
  const { seen } = fanOut.subscribe(unique('all'))
  await waitFor('the whole topic', () => seen.includes('last'))
  return seen
}
