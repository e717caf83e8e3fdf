import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeContext } from '../../../tests/make-context.ts'
import { openTestBroker, type SoleBroker } from '../../../tests/open-test-broker.ts'
import { describeLogDirs } from './describe-log-dirs.ts'

describe('DescribeLogDirs', () => {
  let broker: SoleBroker

  beforeEach(() => {
    broker = openTestBroker()
  })
  afterEach(() => broker.close())

  it.each([
    null,
    [
      { name: 'first', partitions: [0] },
      { name: 'last', partitions: [0] },
    ],
  ])('answers when a topic is deleted meanwhile (asked for %j)', async (topics) => {
    for (const name of ['first', 'last']) broker.topics.create(name)
    const answer = describeLogDirs.handle({ topics }, makeContext(broker, 4))
    broker.topics.delete('last')
    expect(await answer).toMatchObject({ results: [{ topics: [{ name: 'first', partitions: [{ size: 0 }] }, {}] }] })
  })
})
