import type { Admin } from '@taproom/kafkajs'
import { describe, expect, it } from 'vitest'
import { LagTrend } from './lag-trend.ts'
import { RecordCounter } from './record-counter.ts'
import { listTopics } from './topics.ts'

const metadata = (name: string) => ({
  name,
  partitions: [{ partitionErrorCode: 0, partitionId: 0, leader: 1, replicas: [1], isr: [1] }],
})

/** Reads no records. */
const unread = { counter: new RecordCounter(), trend: new LagTrend(), until: 0 }

/** An admin of kafkajs that fails for the topics whose names begin with `new`, as it does before they have a leader. */
function adminOf(...names: string[]): Admin {
  const admin: Pick<Admin, 'fetchTopicMetadata' | 'fetchTopicOffsets'> = {
    fetchTopicMetadata: async () => ({ topics: names.map(metadata) }),
    async fetchTopicOffsets(topic) {
      if (topic.startsWith('new')) throw new TypeError("Cannot destructure property 'partitions' of 'high.pop(...)'")
      return [{ partition: 0, offset: '7', high: '7', low: '2' }]
    },
  }
  return admin as Admin
}

describe('the list of topics', () => {
  it('has topics whose offsets cannot be read yet, and the offsets of all others', async () => {
    const { items } = await listTopics(adminOf('new-one', 'beers'), unread)
    expect(items.map(({ name, partitions: [first] }) => [name, first?.low, first?.high])).toEqual([
      ['beers', '2', '7'],
      ['new-one', '0', '0'],
    ])
  })

  it('fails when no offsets can be read', async () => {
    await expect(listTopics(adminOf('new-one', 'new-two'), unread)).rejects.toThrow('high.pop')
  })
})
