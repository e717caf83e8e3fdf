import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeContext } from '../../tests/make-context.ts'
import { type Cluster, openCluster } from '../broker/open-cluster.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { offsetCommit } from './committed-offsets/offset-commit.ts'
import { offsetFetch } from './committed-offsets/offset-fetch.ts'
import { consumerGroupDescribe } from './consumer-groups/consumer-group-describe.ts'
import { consumerGroupHeartbeat } from './consumer-groups/consumer-group-heartbeat.ts'
import type { Api } from './definition/api.ts'
import { describeGroups } from './group-admin/describe-groups.ts'
import { addPartitionsToTxn } from './producer-transactions/add-partitions-to-txn.ts'
import { endTxn } from './producer-transactions/end-txn.ts'
import { txnOffsetCommit } from './producer-transactions/txn-offset-commit.ts'

const KEY = 'key'
const producer = { transactionalId: KEY, producerId: 1, producerEpoch: 0 }
const offsets = [{ name: 't', partitions: [{ index: 0, offset: 1, leaderEpoch: -1, metadata: null }] }]
const member = { groupId: KEY, memberId: '', generationId: -1, groupInstanceId: null }
const partitions = [{ name: 't', partitions: [0] }]
const wanted = { groupId: KEY, memberId: null, memberEpoch: -1, topics: null }
const beat = {
  groupId: KEY,
  memberId: 'm',
  memberEpoch: 0,
  instanceId: null,
  rackId: null,
  rebalanceTimeoutMs: 30_000,
  subscribedTopicNames: ['t'],
  subscribedTopicRegex: null,
  serverAssignor: null,
  topicPartitions: [],
}

describe('decisions 3.58: a broker that does not coordinate', () => {
  let cluster: Cluster

  beforeEach(() => {
    cluster = openCluster({
      racks: [null, null, null],
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
    cluster.brokers[0].topics.create('t')
  })
  afterEach(() => cluster.close())

  it.each<[string, Api, object]>([
    ['ConsumerGroupHeartbeat', consumerGroupHeartbeat as Api, beat],
    ['ConsumerGroupDescribe', consumerGroupDescribe as Api, { groupIds: [KEY], includeAuthorizedOperations: false }],
    ['DescribeGroups', describeGroups as Api, { groups: [KEY], includeAuthorizedOperations: false }],
    ['OffsetCommit', offsetCommit as Api, { ...member, topics: offsets }],
    ['OffsetFetch', offsetFetch as Api, { groups: [wanted], requireStable: false }],
    ['TxnOffsetCommit', txnOffsetCommit as Api, { ...member, ...producer, topics: offsets }],
    [
      'AddPartitionsToTxn',
      addPartitionsToTxn as Api,
      { transactions: [{ ...producer, verifyOnly: true, topics: partitions }] },
    ],
    ['EndTxn', endTxn as Api, { ...producer, committed: true }],
  ])('refuses %s with NOT_COORDINATOR, and the one that does never', async (_name, api, request) => {
    // Both internal topics have their leaders in the same order.
    const coordinator = cluster.brokers[0].coordinators.find('group', KEY)
    for (const broker of cluster.brokers) {
      const answer = JSON.stringify(await api.handle(request, makeContext(broker, api.maxVersion)))
      const isRefused = answer.includes(`"errorCode":${ErrorCode.NOT_COORDINATOR}`)
      expect(isRefused).toBe(broker.nodeId !== coordinator)
    }
  })
})
