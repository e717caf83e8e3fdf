import { ErrorCode } from '../../protocol/error-code.ts'
import { int16, int32, int64 } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic } from '../definition/by-topic.ts'

const request = struct({
  replicaId: since(3, int32, -2),
  topics: byTopic(struct({ index: int32, currentLeaderEpoch: since(2, int32, -1), leaderEpoch: int32 })),
})

const response = struct({
  throttleTimeMs: constant(int32, 0, 2),
  topics: byTopic(struct({ errorCode: int16, index: int32, leaderEpoch: since(1, int32, -1), endOffset: int64 })),
})

/** The leader never changes, so there is one epoch. */
const LEADER_EPOCH = 0

/** Where an epoch ends: there is one, so it ends where the log ends. */
export const offsetForLeaderEpoch = defineApi({
  key: 23,
  name: 'OffsetForLeaderEpoch',
  minVersion: 2,
  maxVersion: 4,
  flexibleSince: 4,
  request,
  response,
  handle: ({ topics }, { broker }) => ({
    topics: topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(({ index, leaderEpoch }) => {
        const partition = broker.topics.find(name)?.partitions[index]
        const unknown = { index, errorCode: ErrorCode.NONE, leaderEpoch: -1, endOffset: -1 }
        if (!partition) return { ...unknown, errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION }
        if (leaderEpoch > LEADER_EPOCH) return unknown
        return { index, errorCode: ErrorCode.NONE, leaderEpoch: LEADER_EPOCH, endOffset: partition.endOffset }
      }),
    })),
  }),
})
