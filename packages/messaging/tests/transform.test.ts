import { setTimeout } from 'node:timers/promises'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTransform } from '../src/index.ts'
import { startBroker, type TestBroker } from './broker.ts'
import { channelOf, makeTopics, readCommitted } from './exactly-once.ts'

let broker: TestBroker
beforeAll(async () => {
  broker = await startBroker()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
})

describe.concurrent('openTransform', () => {
  it('decisions 1.44: [] skips a malformed message and counts it', async () => {
    const topics = await makeTopics(broker, 1)
    await broker.write(topics.input, '1', 'x', '2')
    await using transform = openTransform(broker.kafka, {
      ...channelOf(topics),
      transform: ({ value }) => (/^\d+$/.test(String(value)) ? [{ value: `${value} priced` }] : []),
    })
    expect(await readCommitted(broker, topics.output, 2)).toEqual(['1 priced', '2 priced'])
    expect(transform.counters).toMatchObject({ consumed: 3, produced: 2, skipped: 1 })
    expect(await transform.check.check(AbortSignal.timeout(30_000))).toMatchObject({ status: 'UP' })
    expect(transform.check.name).toBe('Kafka transform channel pricing')
  })

  it('shows nothing of an aborted transaction and does it again', async () => {
    const topics = await makeTopics(broker, 1)
    const values = Array.from({ length: 10 }, (_, index) => String(index))
    await broker.write(topics.input, ...values)
    let calls = 0
    await using transform = openTransform(broker.kafka, {
      ...channelOf(topics),
      batchSize: 4,
      transform({ value }) {
        calls += 1
        // More than Kafka takes.
        if (calls === 7) return [{ key: value, value: 'x'.repeat(3_000_000) }]
        return [{ key: value, value: `${value} priced` }]
      },
    })
    const results = await readCommitted(broker, topics.output, values.length)
    expect(results).toEqual(values.map((value) => `${value} priced`))
    expect(transform.counters).toMatchObject({ consumed: 10, produced: 10 })
    expect(transform.counters.aborted).toBeGreaterThanOrEqual(1)
    expect(calls).toBeGreaterThan(10)
  })

  it('commits what it has done in time, while the rest of its messages takes longer', async () => {
    const topics = await makeTopics(broker, 1)
    await broker.write(topics.input, '1', '2', '3')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await using transform = openTransform(broker.kafka, {
      ...channelOf(topics),
      commitIntervalMs: 1,
      async transform({ value }) {
        if (String(value) === '1') await setTimeout(20)
        else await released
        return [{ value: `${value} priced` }]
      },
    })
    await waitFor('the first', () => transform.counters.produced >= 1)
    release()
    expect(await readCommitted(broker, topics.output, 3)).toEqual(['1 priced', '2 priced', '3 priced'])
  })

  it('fences an instance that shares its transactional id, and both together stay exact', async () => {
    const topics = await makeTopics(broker, 1)
    const open = (groupId: string) =>
      openTransform(broker.kafka, {
        ...channelOf(topics),
        groupId,
        transform: ({ key, value }) => [{ key, value: `${value} priced` }],
      })
    await using first = open(topics.groupId)
    await first.assigned
    await broker.write(topics.input, '1')
    await waitFor('the first price', () => first.counters.produced >= 1)
    // Of another group, so it takes the partition over without a rebalance telling the first.
    await using second = open(`${topics.groupId}-other`)
    await waitFor('the second to have read all', () => second.counters.consumed >= 1)
    await broker.write(topics.input, '2')
    await waitFor('both again', () => first.counters.consumed >= 2 && second.counters.consumed >= 2)
    const results = await readCommitted(broker, topics.output, 2)
    expect(results.sort()).toEqual(['1 priced', '1 priced', '2 priced', '2 priced'])
  })
})
