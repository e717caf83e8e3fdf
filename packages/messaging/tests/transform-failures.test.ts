import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OutgoingMessage, openTransform, type TransformOptions } from '../src/index.ts'
import { startBroker, type TestBroker, textOf, unique } from './broker.ts'
import { channelOf, makeTopics, readCommitted, type Topics } from './exactly-once.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

const WRONG: readonly [string, TransformOptions['transform']][] = [
  [
    'throws',
    () => {
      throw new Error('a bad beer')
    },
  ],
  ['rejects', () => Promise.reject(new Error('a bad beer'))],
  ['returns an undefined value', () => [{ value: undefined } as unknown as OutgoingMessage]],
  ['returns no list', () => undefined as unknown as []],
]

/** Prices all but the message `x`, with which it does something wrong. */
const pricing = (topics: Topics, wrong: TransformOptions['transform']): TransformOptions => ({
  ...channelOf(topics),
  transform: (message) => (textOf(message) === 'x' ? wrong(message) : [{ value: `${textOf(message)} priced` }]),
})

describe.concurrent('a transform that', () => {
  it.for(WRONG)('%s with `ignore` goes on after that message, exactly once', async ([, wrong], { expect }) => {
    const topics = await makeTopics(broker, 1)
    await broker.write(topics.input, '1', 'x', '2')
    await using transform = openTransform(broker.kafka, { ...pricing(topics, wrong), failureStrategy: 'ignore' })
    expect(await readCommitted(broker, topics.output, 2)).toEqual(['1 priced', '2 priced'])
    await waitFor('all three', () => transform.counters.consumed === 3)
    expect(transform.counters).toMatchObject({ produced: 2, failed: 1, deadLettered: 0, aborted: 0 })
    expect(await transform.liveness.check(AbortSignal.timeout(30_000))).toEqual({ status: 'UP' })
  })

  it('fails with `dead-letter-queue` writes the message there in its transaction', async () => {
    const topics = await makeTopics(broker, 1)
    const deadLetterTopic = unique('dead')
    await broker.write(topics.input, '1', 'x', '2')
    await using transform = openTransform(broker.kafka, {
      ...pricing(topics, () => Promise.reject(new Error('a bad beer'))),
      ...{ failureStrategy: 'dead-letter-queue', deadLetterTopic },
    })
    expect(await readCommitted(broker, topics.output, 2)).toEqual(['1 priced', '2 priced'])
    await using dead = broker.read(deadLetterTopic)
    await waitFor('the dead letter', () => dead.messages.length > 0)
    expect(dead.messages.map(textOf)).toEqual(['x'])
    expect({ ...dead.messages[0]?.headers }).toEqual({
      'dead-letter-reason': 'a bad beer',
      'dead-letter-topic': topics.input,
      'dead-letter-partition': '0',
      'dead-letter-offset': '1',
    })
    expect(transform.counters).toMatchObject({ consumed: 3, produced: 2, failed: 1, deadLettered: 1, aborted: 0 })
  })

  it('makes what Kafka refuses with `fail` stops before that message', async () => {
    const topics = await makeTopics(broker, 1)
    await broker.write(topics.input, '1', 'x', '2')
    await using transform = openTransform(
      broker.kafka,
      pricing(topics, () => [{ value: 'y'.repeat(3_000_000) }]),
    )
    const health = () => transform.liveness.check(AbortSignal.timeout(30_000))
    await waitFor('the end', async () => (await health()).status === 'DOWN')
    expect((await health()).data?.['reason']).toMatch(/larger|too large/)
    expect(await readCommitted(broker, topics.output, 1)).toEqual(['1 priced'])
    expect(transform.counters).toMatchObject({ consumed: 1, produced: 1, refused: 1 })
  })

  it('makes what Kafka refuses with `dead-letter-queue` writes the message there', async () => {
    const topics = await makeTopics(broker, 1)
    const deadLetterTopic = unique('dead')
    await broker.write(topics.input, '1', 'x', '2')
    await using transform = openTransform(broker.kafka, {
      ...pricing(topics, () => [{ value: 'y'.repeat(3_000_000) }]),
      ...{ failureStrategy: 'dead-letter-queue', deadLetterTopic },
    })
    expect(await readCommitted(broker, topics.output, 2)).toEqual(['1 priced', '2 priced'])
    await using dead = broker.read(deadLetterTopic)
    await waitFor('the dead letter', () => dead.messages.length > 0)
    expect(dead.messages.map(textOf)).toEqual(['x'])
    expect(dead.messages[0]?.headers['dead-letter-reason']).toMatch(/larger|too large/)
    expect(transform.counters).toMatchObject({ refused: 1, deadLettered: 1 })
  })

  it('fails with `fail` commits what is before, stops, and reads the message again after a restart', async () => {
    const topics = await makeTopics(broker, 1)
    await broker.write(topics.input, '1', 'x', '2')
    {
      await using transform = openTransform(
        broker.kafka,
        pricing(topics, () => Promise.reject(new Error('a bad beer'))),
      )
      await waitFor(
        'liveness DOWN',
        async () => (await transform.liveness.check(AbortSignal.timeout(30_000))).status === 'DOWN',
      )
      expect(await transform.liveness.check(AbortSignal.timeout(30_000))).toEqual({
        status: 'DOWN',
        data: { reason: 'a bad beer' },
      })
      expect(transform.counters).toMatchObject({ consumed: 1, produced: 1, failed: 1 })
    }
    await using _next = openTransform(
      broker.kafka,
      pricing(topics, () => [{ value: 'x priced' }]),
    )
    expect(await readCommitted(broker, topics.output, 3)).toEqual(['1 priced', 'x priced', '2 priced'])
  })
})
