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

/** Three messages of which the second fails. */
async function makeTopic(): Promise<string> {
  const topic = unique('topic')
  await using admin = createTopicAdmin(broker.kafka)
  await admin.ensureTopic(topic)
  await using channel = openOutgoing(broker.kafka, { channel: 'writer', topic, timeoutMs: 90_000 })
  for (const value of ['good', 'bad', 'better']) await channel.send({ key: 'k', value, headers: { origin: 'test' } })
  return topic
}

function failOnBad(message: IncomingMessage): void {
  if (String(message.value) === 'bad') throw new Error('cannot be read', { cause: new Error('no name') })
}

const openWithDeadLetters = (topic: string, deadLetterTopic: string, onMessage: (message: IncomingMessage) => void) =>
  openIncoming(broker.kafka, {
    channel: 'priced-beer',
    topic,
    from: 'earliest',
    failureStrategy: 'dead-letter-queue',
    deadLetterTopic,
    onMessage,
  })

describe.concurrent('failure strategies', () => {
  it('fail: the channel stops, liveness is DOWN, the message comes again', async () => {
    const topic = await makeTopic()
    const groupId = unique('group')
    const open = (onMessage: (message: IncomingMessage) => void) =>
      openIncoming(broker.kafka, { channel: 'priced-beer', topic, groupId, from: 'earliest', onMessage })
    await using incoming = open(failOnBad)
    expect(await incoming.liveness.check(AbortSignal.timeout(30_000))).toEqual({ status: 'UP' })
    await waitFor('liveness DOWN', async () => {
      return (await incoming.liveness.check(AbortSignal.timeout(30_000))).status === 'DOWN'
    })
    expect(incoming.counters).toMatchObject({ received: 2, acknowledged: 1, failed: 1 })
    expect(incoming.check.name).toBe('Kafka incoming channel priced-beer')
    await incoming[Symbol.asyncDispose]()

    const seen: string[] = []
    await using _next = open((message) => void seen.push(String(message.value)))
    await waitFor('the rest', () => seen.length >= 2)
    expect(seen).toEqual(['bad', 'better'])
  })

  it('ignore: the message is acknowledged and counted', async () => {
    const topic = await makeTopic()
    await using incoming = openIncoming(broker.kafka, {
      channel: 'priced-beer',
      topic,
      from: 'earliest',
      failureStrategy: 'ignore',
      onMessage: failOnBad,
    })
    await waitFor('all three', () => incoming.counters.acknowledged >= 3)
    expect(incoming.counters).toMatchObject({ received: 3, failed: 1, deadLettered: 0 })
    expect(await incoming.liveness.check(AbortSignal.timeout(30_000))).toEqual({ status: 'UP' })
  })

  it('dead-letter-queue: a message without a time of its own becomes a dead letter, and the next is read', async () => {
    const topic = await broker.makeTopic()
    const deadLetterTopic = unique('dead')
    await using outgoing = openOutgoing(broker.kafka, { channel: 'writer', topic, timeoutMs: 90_000 })
    await outgoing.send({ value: 'bad', timestamp: -1 })
    await outgoing.send({ value: 'good' })
    await using incoming = openWithDeadLetters(topic, deadLetterTopic, failOnBad)
    await waitFor('both', () => incoming.counters.acknowledged >= 2)
    expect(incoming.counters).toMatchObject({ failed: 1, deadLettered: 1 })
  })

  it('KIP-82: a dead letter has the headers as they were: bytes, nothing, repeated, and of a dead letter before', async () => {
    const topic = await broker.makeTopic()
    const deadLetterTopic = unique('dead')
    const raw = { '1': Buffer.from([0xff, 0xfe]), empty: null, again: [Buffer.from('a'), Buffer.from([0x80]), null] }
    await using outgoing = openOutgoing(broker.kafka, { channel: 'writer', topic, timeoutMs: 90_000 })
    await outgoing.send({ value: 'bad', headers: { ...raw, 'dead-letter-topic': 'earlier' } })
    const seen: IncomingMessage[] = []
    await using _incoming = openWithDeadLetters(topic, deadLetterTopic, (message) => {
      seen.push(message)
      throw new Error('cannot be read')
    })
    await using dead = broker.read(deadLetterTopic)
    await waitFor('the dead letter', () => dead.messages.length > 0)
    expect({ ...seen[0]?.rawHeaders }).toEqual({ ...raw, 'dead-letter-topic': Buffer.from('earlier') })
    expect({ ...dead.messages[0]?.rawHeaders }).toMatchObject({
      ...raw,
      'dead-letter-topic': [Buffer.from('earlier'), Buffer.from(topic)],
      'dead-letter-reason': Buffer.from('cannot be read'),
    })
  })

  it('decisions 1.44: dead-letter-queue writes the message with reason and origin, and goes on', async () => {
    const topic = await makeTopic()
    const deadLetterTopic = unique('dead')
    await using incoming = openWithDeadLetters(topic, deadLetterTopic, failOnBad)
    await waitFor('all three', () => incoming.counters.acknowledged >= 3)
    await using dead = broker.read(deadLetterTopic)
    await waitFor('the dead letter', () => dead.messages.length > 0)
    expect(String(dead.messages[0]?.value)).toBe('bad')
    expect(String(dead.messages[0]?.key)).toBe('k')
    expect({ ...dead.messages[0]?.headers }).toEqual({
      origin: 'test',
      'dead-letter-reason': 'cannot be read',
      'dead-letter-cause': 'no name',
      'dead-letter-topic': topic,
      'dead-letter-partition': '0',
      'dead-letter-offset': '1',
    })
    expect(incoming.counters).toMatchObject({ failed: 1, deadLettered: 1 })
  })
})
