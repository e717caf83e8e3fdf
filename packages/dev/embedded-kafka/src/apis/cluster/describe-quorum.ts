import { ErrorCode } from '../../protocol/error-code.ts'
import { array, int16, int32, int64 } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, mapPartitions } from '../definition/by-topic.ts'

/** The log of Apache Kafka's controllers, which tools ask for. */
const METADATA_TOPIC = '__cluster_metadata'

const replicas = array(
  struct({
    replicaId: int32,
    logEndOffset: constant(int64, 0),
    lastFetchTimestamp: since(1, int64, -1),
    lastCaughtUpTimestamp: since(1, int64, -1),
  }),
)

const response = struct({
  errorCode: int16,
  topics: byTopic(
    struct({
      index: int32,
      errorCode: int16,
      leaderId: int32,
      leaderEpoch: int32,
      highWatermark: int64,
      currentVoters: replicas,
      observers: replicas,
    }),
  ),
})

const NOBODY = { leaderId: -1, leaderEpoch: -1, highWatermark: -1, currentVoters: [], observers: [] }

/** The controllers: this broker alone, and it leads. There is no log of theirs, so that it stands at 0. */
export const describeQuorum = defineApi({
  key: 55,
  name: 'DescribeQuorum',
  minVersion: 0,
  maxVersion: 1,
  flexibleSince: 0,
  request: struct({ topics: byTopic(struct({ index: int32 })) }),
  response,
  handle: async ({ topics }, { broker }) => ({
    errorCode: ErrorCode.NONE,
    topics: await mapPartitions(topics, (name, { index }) => {
      if (name !== METADATA_TOPIC || index !== 0) {
        return { index, errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ...NOBODY }
      }
      const now = broker.now()
      const voter = { replicaId: broker.nodeId, lastFetchTimestamp: now, lastCaughtUpTimestamp: now }
      const leader = { leaderId: broker.nodeId, leaderEpoch: 1, highWatermark: 0 }
      return { index, errorCode: ErrorCode.NONE, ...leader, currentVoters: [voter], observers: [] }
    }),
  }),
})
