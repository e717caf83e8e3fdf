import { outcomeOf } from '../../protocol/protocol-error.ts'
import { int16, int32, int64 } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, forPartitions } from '../definition/by-topic.ts'

const request = struct({
  replicaId: since(3, int32, -2),
  topics: byTopic(struct({ index: int32, currentLeaderEpoch: since(2, int32, -1), leaderEpoch: int32 })),
})

const response = struct({
  throttleTimeMs: constant(int32, 0, 2),
  topics: byTopic(struct({ errorCode: int16, index: int32, leaderEpoch: since(1, int32, -1), endOffset: int64 })),
})

const NOWHERE = { leaderEpoch: -1, endOffset: -1 }

/** Where the records of a leader end, by its epoch: consumers notice so that records they have read are gone (KIP-320). */
export const offsetForLeaderEpoch = defineApi('OffsetForLeaderEpoch', {
  request,
  response,
  handle: ({ topics }, { broker }) => ({
    topics: forPartitions(topics, ({ index, currentLeaderEpoch, leaderEpoch }, name) => {
      const find = () => {
        const { epoch, endOffset } = broker.leading(name, index, currentLeaderEpoch).endOfEpoch(leaderEpoch)
        return { leaderEpoch: epoch, endOffset }
      }
      return { index, ...outcomeOf(find, NOWHERE) }
    }),
  }),
})
