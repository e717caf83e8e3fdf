import { ErrorCode } from '../../protocol/error-code.ts'
import { outcomeOf, ProtocolError } from '../../protocol/protocol-error.ts'
import type { TimedOffset } from '../../records/record-times.ts'
import type { Isolation, Partition } from '../../topics/partition.ts'
import { int8, int16, int32, int64 } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, mapPartitions } from '../definition/by-topic.ts'
import { isolationOf } from './isolation.ts'

const request = struct({
  replicaId: int32,
  isolationLevel: since(2, int8, 0),
  topics: byTopic(struct({ index: int32, currentLeaderEpoch: since(4, int32, -1), timestamp: int64 })),
})

const response = struct({
  throttleTimeMs: constant(int32, 0, 2),
  topics: byTopic(
    struct({ index: int32, errorCode: int16, timestamp: int64, offset: int64, leaderEpoch: constant(int32, 0, 4) }),
  ),
})

/** Timestamps with a special meaning. */
const LATEST = -1
const EARLIEST = -2
const MAX_TIMESTAMP = -3
const NOWHERE: TimedOffset = { offset: -1, timestamp: -1 }

function lookUp(partition: Partition, timestamp: number, isolation: Isolation): TimedOffset {
  if (timestamp === LATEST) return { offset: partition.endOffsetFor(isolation), timestamp: -1 }
  if (timestamp === EARLIEST) return { offset: partition.startOffset, timestamp: -1 }
  if (timestamp === MAX_TIMESTAMP) return partition.latestByTime() ?? NOWHERE
  if (timestamp < 0) throw new ProtocolError(ErrorCode.INVALID_REQUEST, `there is no time ${timestamp}`)
  const found = partition.offsetSince(timestamp)
  return found && found.offset < partition.endOffsetFor(isolation) ? found : NOWHERE
}

/** For each partition its first or last offset, or the one at a time. */
export const listOffsets = defineApi({
  key: 2,
  name: 'ListOffsets',
  minVersion: 1,
  maxVersion: 7,
  flexibleSince: 6,
  request,
  response,
  handle: async ({ topics, isolationLevel }, { broker }) => ({
    topics: await mapPartitions(topics, (name, { index, timestamp }) => {
      const find = () => lookUp(broker.topics.partition(name, index), timestamp, isolationOf(isolationLevel))
      return { index, ...outcomeOf(find, NOWHERE) }
    }),
  }),
})
