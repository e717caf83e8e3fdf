import { ErrorCode } from '../../protocol/error-code.ts'
import { outcomeOf, ProtocolError } from '../../protocol/protocol-error.ts'
import type { TimedOffset } from '../../records/record-times.ts'
import type { Isolation, Partition } from '../../topics/partition.ts'
import type { Infer } from '../../wire/codec.ts'
import { int8, int16, int32, int64 } from '../../wire/primitives.ts'
import { constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { byTopic, mapPartitions } from '../definition/by-topic.ts'
import { isolationOf } from './isolation.ts'

const request = struct({
  replicaId: int32,
  isolationLevel: since(2, int8, 0),
  topics: byTopic(struct({ index: int32, currentLeaderEpoch: since(4, int32, -1), timestamp: int64 })),
  timeoutMs: since(10, int32, 0),
})

const response = struct({
  throttleTimeMs: constant(int32, 0, 2),
  topics: byTopic(
    struct({ index: int32, errorCode: int16, timestamp: int64, offset: int64, leaderEpoch: since(4, int32, -1) }),
  ),
})

/** Timestamps with a special meaning, and the version since which each has it. */
const LATEST = -1
const EARLIEST = -2
const MAX_TIMESTAMP = -3
const EARLIEST_LOCAL = -4
const LATEST_TIERED = -5
const SPECIAL_SINCE: ReadonlyMap<number, number> = new Map([
  [LATEST, 1],
  [EARLIEST, 1],
  [MAX_TIMESTAMP, 7],
  [EARLIEST_LOCAL, 8],
  [LATEST_TIERED, 9],
])

const NOWHERE = { offset: -1, timestamp: -1, leaderEpoch: -1 }

function lookUp(partition: Partition, timestamp: number, isolation: Isolation): TimedOffset | undefined {
  if (timestamp === LATEST) return { offset: partition.endOffsetFor(isolation), timestamp: -1 }
  // Everything is local: there is no tiered storage.
  if (timestamp === EARLIEST || timestamp === EARLIEST_LOCAL) return { offset: partition.startOffset, timestamp: -1 }
  if (timestamp === LATEST_TIERED) return undefined
  const found = timestamp === MAX_TIMESTAMP ? partition.latestByTime() : partition.offsetSince(timestamp)
  return found && found.offset < partition.endOffsetFor(isolation) ? found : undefined
}

type Topics = Infer<typeof request>['topics']
type Wanted = Topics[number]['partitions'][number]

/** The partitions that a request names more than once, which Apache Kafka refuses, too. */
function repeated(topics: Topics): ReadonlySet<string> {
  const seen = new Set<string>()
  const keys = topics.flatMap(({ name, partitions }) => partitions.map(({ index }) => keyOf(name, index)))
  return new Set(keys.filter((key) => seen.has(key) || !seen.add(key)))
}

function keyOf(topic: string, partition: number): string {
  return `${topic}/${partition}`
}

/** For each partition its first or last offset, or the one at a time. */
export const listOffsets = defineApi('ListOffsets', {
  request,
  response,
  async handle({ topics, isolationLevel }, { broker, version, signal, faults }) {
    const refused = repeated(topics)
    const find = (name: string, { index, timestamp, currentLeaderEpoch }: Wanted) => {
      if (refused.has(keyOf(name, index))) {
        throw new ProtocolError(ErrorCode.INVALID_REQUEST, `partition ${index} of topic ${name} more than once`)
      }
      if (timestamp < 0 && version < (SPECIAL_SINCE.get(timestamp) ?? Number.POSITIVE_INFINITY)) {
        throw new ProtocolError(ErrorCode.UNSUPPORTED_VERSION, `version ${version} has no time ${timestamp}`)
      }
      faults?.check(name, index)
      // Batches are not decompressed for a client that is gone.
      if (signal.aborted) return NOWHERE
      const partition = broker.leading(name, index, currentLeaderEpoch)
      const found = lookUp(partition, timestamp, isolationOf(isolationLevel))
      return found ? { ...found, leaderEpoch: partition.epochAt(found.offset) } : NOWHERE
    }
    return {
      topics: await mapPartitions(topics, (name, wanted) => ({
        index: wanted.index,
        ...outcomeOf(() => find(name, wanted), NOWHERE),
      })),
    }
  },
})
