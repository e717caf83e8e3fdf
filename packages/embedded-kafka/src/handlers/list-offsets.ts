import { ErrorCode } from '../protocol/error-code.ts'
import { listOffsets, offsetForLeaderEpoch } from '../protocol/list-offsets.ts'
import { failureOf, ProtocolError } from '../protocol/protocol-error.ts'
import type { TimedOffset } from '../records/record-times.ts'
import type { Isolation, Partition } from '../topics/partition.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { isolationOf } from './fetch.ts'

const LATEST = -1
const EARLIEST = -2
const MAX_TIMESTAMP = -3
const NOWHERE: TimedOffset = { offset: -1, timestamp: -1 }
/** The only epoch of the only leader. */
const LEADER_EPOCH = 0

function lookUp(partition: Partition, timestamp: number, isolation: Isolation): TimedOffset {
  if (timestamp === LATEST) return { offset: partition.endOffsetFor(isolation), timestamp: -1 }
  if (timestamp === EARLIEST) return { offset: partition.startOffset, timestamp: -1 }
  if (timestamp === MAX_TIMESTAMP) return partition.latestByTime() ?? NOWHERE
  if (timestamp < 0) throw new ProtocolError(ErrorCode.INVALID_REQUEST, `there is no time ${timestamp}`)
  const found = partition.offsetSince(timestamp)
  return found && found.offset < partition.endOffsetFor(isolation) ? found : NOWHERE
}

/** ListOffsets: the first, the last or the offset at a time of each partition. */
export const listOffsetsEndpoint: Endpoint = endpoint(listOffsets, ({ topics, isolationLevel }, { broker }) => ({
  topics: topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions.map(({ index, timestamp }) => {
      try {
        const found = lookUp(broker.topics.partition(name, index), timestamp, isolationOf(isolationLevel))
        return { index, errorCode: ErrorCode.NONE, ...found }
      } catch (error) {
        return { index, errorCode: failureOf(error).errorCode, ...NOWHERE }
      }
    }),
  })),
}))

/** OffsetForLeaderEpoch: there is one epoch, so it ends where the log ends. */
export const offsetForLeaderEpochEndpoint: Endpoint = endpoint(offsetForLeaderEpoch, ({ topics }, { broker }) => ({
  topics: topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions.map(({ index, leaderEpoch }) => {
      const partition = broker.topics.find(name)?.partitions[index]
      if (!partition) return { index, errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, leaderEpoch: -1, endOffset: -1 }
      if (leaderEpoch > LEADER_EPOCH) return { index, errorCode: ErrorCode.NONE, leaderEpoch: -1, endOffset: -1 }
      return { index, errorCode: ErrorCode.NONE, leaderEpoch: LEADER_EPOCH, endOffset: partition.endOffset }
    }),
  })),
}))
