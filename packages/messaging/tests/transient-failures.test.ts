import { waitFor } from '@taproom/testkit'
import { describe, expect } from 'vitest'
import { ChannelNotReadyError, createKafka, type IncomingMessage, openIncoming, openTransform } from '../src/index.ts'
import { textOf, unique } from './broker.ts'
import { outcomeOf, reasonWhenDown, untilUp } from './checks.ts'
import { channelOf, it, makeTopics } from './exactly-once.ts'
import { recordLog } from './recorded-log.ts'

/** The error of a database that is away. */
class AwayError extends Error {
  readonly isTransient = true
}

/** A dependency of a handler, which is away from the second message on until `comesBack`. */
function dependency() {
  const handled: string[] = []
  let isAway = true
  let attempts = 0
  return {
    handled,
    get attempts() {
      return attempts
    },
    comesBack() {
      isAway = false
    },
    handle(message: IncomingMessage) {
      if (textOf(message) !== 'first' && isAway) {
        attempts += 1
        throw new AwayError('the database is unavailable')
      }
      handled.push(textOf(message))
    },
  }
}

const ORDERS = { channel: 'orders', from: 'earliest' } as const

describe.concurrent('decisions 3.160: a transient failure', () => {
  it.for([1, 3])(
    'keeps the message, and goes on in order when it is over, with %i in flight',
    async (concurrency, { broker }) => {
      const topic = await broker.makeTopic()
      await broker.write(topic, 'first', 'second', 'third')
      const database = dependency()
      const { log, text } = recordLog()
      const kafka = createKafka({ clientId: 'transient', bootstrapServers: broker.bootstrapServers, log })
      await using channel = openIncoming(kafka, { ...ORDERS, topic, concurrency, onMessage: database.handle })
      expect(await reasonWhenDown(channel)).toBe('the database is unavailable')
      await waitFor('more attempts', () => database.attempts >= 4)
      expect(await channel.liveness.check(AbortSignal.timeout(30_000))).toEqual({ status: 'UP' })
      expect(database.handled).toEqual(['first'])
      database.comesBack()
      await untilUp(channel)
      await waitFor('the rest', () => channel.counters.acknowledged === 3)
      expect(database.handled.toSorted()).toEqual(['first', 'second', 'third'])
      if (concurrency === 1) expect(database.handled).toEqual(['first', 'second', 'third'])
      expect(channel.counters).toMatchObject({ received: 3, failed: 0, restarts: 0 })
      expect(text()).toContain('kafka message cannot be handled now, trying again')
    },
  )

  it('ends with the channel, and the message is read again after a restart', async ({ broker }) => {
    const topic = await broker.makeTopic()
    await broker.write(topic, 'first', 'second')
    const groupId = unique('group')
    const database = dependency()
    const options = { ...ORDERS, topic, groupId, onMessage: database.handle }
    const channel = openIncoming(broker.kafka, options)
    await reasonWhenDown(channel)
    await channel[Symbol.asyncDispose]()
    const { attempts } = database
    database.comesBack()
    await using next = openIncoming(broker.kafka, options)
    await waitFor('the message', () => next.counters.acknowledged === 1)
    expect(database.handled).toEqual(['first', 'second'])
    expect(database.attempts).toBe(attempts)
  })

  it('is followed by the failure strategy when the message fails otherwise', async ({ broker }) => {
    const topic = await broker.makeTopic()
    await broker.write(topic, 'first')
    const failures = [new AwayError('away'), new Error('no name')]
    const onMessage = () => {
      throw failures.shift()
    }
    const options = { ...ORDERS, topic, onMessage }
    await using channel = openIncoming(broker.kafka, { ...options, failureStrategy: 'ignore' })
    await waitFor('the message', () => channel.counters.acknowledged === 1)
    expect(channel.counters).toMatchObject({ received: 1, failed: 1 })
    expect((await outcomeOf(channel)).data).not.toHaveProperty('reason')
  })

  it('is one of a channel to which a handler sends', async ({ broker }) => {
    const topic = await broker.makeTopic()
    await broker.write(topic, 'first')
    const failures = [new ChannelNotReadyError('Kafka is away', { channel: 'prices' })]
    const onMessage = () => {
      const failure = failures.shift()
      if (failure !== undefined) throw failure
    }
    await using channel = openIncoming(broker.kafka, { ...ORDERS, topic, onMessage })
    await waitFor('the message', () => channel.counters.acknowledged === 1)
    expect(channel.counters.failed).toBe(0)
  })

  it('keeps a transform at the message, after what comes before it is committed', async ({ broker }) => {
    const topics = await makeTopics(broker, 1)
    await broker.write(topics.input, 'first', 'second', 'third')
    const database = dependency()
    await using transform = openTransform(broker.kafka, {
      ...channelOf(topics),
      async transform(message) {
        database.handle(message)
        return [{ value: textOf(message) }]
      },
    })
    await using output = broker.read(topics.output)
    expect(await reasonWhenDown(transform)).toBe('the database is unavailable')
    await waitFor('more attempts', () => database.attempts >= 4)
    expect(await transform.liveness.check(AbortSignal.timeout(30_000))).toEqual({ status: 'UP' })
    await waitFor('the first output', () => output.messages.length === 1)
    database.comesBack()
    await untilUp(transform)
    await waitFor('all outputs', () => output.messages.length === 3)
    expect(output.messages.map(textOf)).toEqual(['first', 'second', 'third'])
    expect(transform.counters).toMatchObject({ consumed: 3, failed: 0, aborted: 0, restarts: 0 })
  })
})
