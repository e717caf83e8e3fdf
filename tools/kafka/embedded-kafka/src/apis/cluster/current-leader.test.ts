import { expect, it } from 'vitest'
import { makeBatch } from '../../../tests/make-batch.ts'
import { makeContext } from '../../../tests/make-context.ts'
import { openCluster } from '../../broker/open-cluster.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { ZERO_UUID } from '../../wire/primitives.ts'
import { produce } from '../produce/produce.ts'

it('a producer that asks the wrong broker is told the right one, and where it is (KIP-951)', async () => {
  const cluster = openCluster({
    racks: ['a', 'b'],
    defaultPartitions: 1,
    autoCreateTopics: true,
    cleanerBackoffMs: 1000,
    limits: { maxPartitions: 10, maxTopicPartitions: 10, maxGroups: 10, maxGroupMembers: 10, maxTransactionalIds: 10 },
  })
  try {
    const [first] = cluster.brokers
    const topic = first.topics.create('t', { assignments: [[2, 1]] })
    const context = makeContext(first, produce.maxVersion)
    cluster.nodes.setPorts(2, new Map([[context.listener, 9999]]))
    const ask = (topicId: string) =>
      produce.handle(
        {
          transactionalId: null,
          acks: -1,
          timeoutMs: 1000,
          topics: [{ name: '', topicId, partitions: [{ index: 0, records: makeBatch() }] }],
        },
        context,
      )
    const elsewhere = {
      errorCode: ErrorCode.NOT_LEADER_OR_FOLLOWER,
      currentLeader: { leaderId: 2, leaderEpoch: 0 },
    }
    expect(await ask(topic.id)).toMatchObject({
      topics: [{ topicId: topic.id, partitions: [elsewhere] }],
      nodeEndpoints: [{ nodeId: 2, port: 9999, rack: 'b' }],
    })
    const nowhere = { errorCode: ErrorCode.UNKNOWN_TOPIC_ID, currentLeader: { leaderId: -1, leaderEpoch: -1 } }
    const other = ZERO_UUID.replace('0', '1')
    expect(await ask(other)).toMatchObject({ topics: [{ partitions: [nowhere] }], nodeEndpoints: [] })
  } finally {
    cluster.close()
  }
})
