import { ErrorCode } from '../../protocol/error-code.ts'
import { array, int16, int32, int64, nullableString, string, uint16, uuid, ZERO_UUID } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, mapPartitions } from '../definition/by-topic.ts'
import { registeredNodes } from './nodes.ts'

/** The log of Apache Kafka's controllers, which tools ask for. */
const METADATA_TOPIC = '__cluster_metadata'

const replicas = array(
  struct({
    replicaId: int32,
    replicaDirectoryId: since(2, uuid, ZERO_UUID),
    logEndOffset: constant(int64, 0),
    lastFetchTimestamp: since(1, int64, -1),
    lastCaughtUpTimestamp: since(1, int64, -1),
  }),
)

const response = struct({
  errorCode: int16,
  errorMessage: constant(nullableString, null, 2),
  topics: byTopic(
    struct({
      index: int32,
      errorCode: int16,
      errorMessage: constant(nullableString, null, 2),
      leaderId: int32,
      leaderEpoch: int32,
      highWatermark: int64,
      currentVoters: replicas,
      observers: replicas,
    }),
  ),
  nodes: since(
    2,
    array(struct({ nodeId: int32, listeners: array(struct({ name: string, host: string, port: uint16 })) })),
    [],
  ),
})

const NEVER = { lastFetchTimestamp: -1, lastCaughtUpTimestamp: -1 }
const NOBODY = { leaderId: -1, leaderEpoch: -1, highWatermark: -1, currentVoters: [], observers: [] }

/** The controllers: all brokers, and the first that lives leads. There is no log of theirs, so that it stands at 0. */
export const describeQuorum = defineApi('DescribeQuorum', {
  request: struct({ topics: byTopic(struct({ index: int32 })) }),
  response,
  handle: async ({ topics }, context) => ({
    errorCode: ErrorCode.NONE,
    topics: await mapPartitions(topics, (name, { index }) => {
      if (name !== METADATA_TOPIC || index !== 0) {
        return { index, errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ...NOBODY }
      }
      const { broker } = context
      const now = broker.now()
      const times = { lastFetchTimestamp: now, lastCaughtUpTimestamp: now }
      const currentVoters = broker.nodes.all.map(({ id, isLive }) => ({
        replicaId: id,
        replicaDirectoryId: ZERO_UUID,
        ...(isLive ? times : NEVER),
      }))
      const leader = { leaderId: broker.nodes.controllerId, leaderEpoch: 1, highWatermark: 0 }
      return { index, errorCode: ErrorCode.NONE, ...leader, currentVoters, observers: [] }
    }),
    nodes: registeredNodes(context).map(({ nodeId, host, port }) => ({
      nodeId,
      listeners: [{ name: context.listener, host, port }],
    })),
  }),
})
