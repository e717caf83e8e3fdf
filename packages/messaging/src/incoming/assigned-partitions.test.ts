import type { Consumer, TopicPartitionOffset } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import type { TopicLife } from '../group/topic-watch.ts'
import { createKafka } from '../kafka/client.ts'
import { AssignedPartitions } from './assigned-partitions.ts'

const LIFE: TopicLife = { topicId: undefined, recreations: 0 }
const log = { debug() {}, info() {}, warn() {}, error() {} }

/** One partition, and a consumer whose commits are answered by nobody. */
function open() {
  const commits: string[] = []
  const consumer = {
    events: { COMMIT_OFFSETS: 'consumer.commit_offsets' },
    on: () => () => {},
    commitOffsets(offsets: TopicPartitionOffset[]) {
      commits.push(offsets.map(({ partition, offset }) => `${partition}:${offset}`).join())
      return new Promise<void>(() => {})
    },
  } as unknown as Consumer
  const partitions = new AssignedPartitions({
    kafka: createKafka({ clientId: 'test', bootstrapServers: 'localhost:1', log }),
    channel: 'beers',
    topic: 'beers',
    groupId: 'group',
    isOnlyReader: false,
    from: 'earliest',
    expired: new AbortController().signal,
  })
  // Kafka is not there, so the begin of reading stays unknown.
  partitions.assign({ consumer, memberId: 'one', partitions: [0], life: Promise.resolve(LIFE) }).catch(() => undefined)
  const tracker = partitions.get(0)?.tracker
  if (tracker === undefined) throw new Error('the partition is not assigned')
  return { partitions, tracker, commits, consumer }
}

describe('assignedPartitions', () => {
  it('determines where reading begins when a second assignment replaces the first', async () => {
    const { partitions, consumer } = open()
    const assignment = { consumer, memberId: 'two', partitions: [1] }
    const later = Promise.withResolvers<TopicLife>()
    const first = partitions.assign({ ...assignment, life: later.promise })
    const second = partitions.assign({ ...assignment, life: Promise.resolve(LIFE) })
    later.resolve(LIFE)
    expect(await first).toBeUndefined()
    // The second assignment asks Kafka, which is not there.
    await expect(second).rejects.toThrow()
  })

  it('stores at once what was acknowledged while an earlier request is under way, as before a rebalance', () => {
    const { partitions, tracker, commits } = open()
    tracker.admit(0n)
    tracker.admit(1n)
    tracker.acknowledge(0n)
    void partitions.commit()
    tracker.acknowledge(1n)
    void partitions.commit()
    expect(commits).toEqual(['0:1', '0:2'])
  })

  it('asks for nothing while nothing was read', async () => {
    const { partitions, commits } = open()
    await partitions.commit()
    expect(commits).toEqual([])
  })
})
