import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Cluster, openCluster } from '../src/broker/open-cluster.ts'
import { append, given, ShareClient } from './share-client.ts'

describe('decisions 3.88: share groups on a cluster', () => {
  let cluster: Cluster

  beforeEach(() => {
    cluster = openCluster({
      racks: [null, null],
      defaultPartitions: 1,
      autoCreateTopics: true,
      cleanerBackoffMs: 1000,
      limits: {
        maxPartitions: 10,
        maxTopicPartitions: 10,
        maxGroups: 10,
        maxGroupMembers: 10,
        maxTransactionalIds: 10,
      },
    })
  })
  afterEach(() => cluster.close())

  it('are read from the leader, and go on with another one where their acknowledgements are', async () => {
    const [first] = cluster.brokers
    const { topics, groups } = first
    topics.create('t')
    groups.consumers.configs.configure('g', { 'share.auto.offset.reset': 'earliest' })
    groups.shares.heartbeat(
      { groupId: 'g', memberId: 'one', memberEpoch: 0, rackId: null, subscribedTopicNames: ['t'] },
      { clientId: '', clientHost: '' },
    )
    const leaderId = () => topics.partition('t', 0).replicas.leadership.leader
    const broker = (nodeId: number) => cluster.brokers[nodeId - 1] ?? first
    const before = leaderId()
    const other = 3 - before
    append(broker(before), 4)
    const one = new ShareClient(broker(before), 'one')
    expect(given(await one.fetch())).toEqual(['0-3×1'])
    expect(await one.acknowledge([[0, 1, 1]])).toEqual([0])

    const refused = await new ShareClient(broker(other), 'one').fetch()
    expect(given(refused)).toEqual(['error 6'])
    expect(refused.topics[0]?.partitions[0]?.currentLeader.leaderId).toBe(before)

    cluster.goDown(before, { isKilled: true })
    expect(leaderId()).toBe(other)
    const two = new ShareClient(broker(other), 'two')
    expect(given(await two.fetch())).toEqual(['2-3×1'])
    // What a session with the broker before had is not released here.
    one.breaks()
    expect(await two.acknowledge([[2, 3, 1]])).toEqual([0])
    expect(topics.partition('t', 0).replicas.leadership.epoch).toBeGreaterThanOrEqual(1)
  })
})
