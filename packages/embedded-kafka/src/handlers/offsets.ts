import type { Broker } from '../broker.ts'
import type { Committer } from '../groups/group-coordinator.ts'
import type { PartitionOffset } from '../groups/offset-store.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { offsetCommit, offsetDelete, offsetFetch } from '../protocol/offsets.ts'
import { type Endpoint, endpoint } from './endpoint.ts'

/** As Apache Kafka's offset.metadata.max.bytes. */
const MAX_METADATA_BYTES = 4096

interface OffsetTopics {
  readonly name: string
  readonly partitions: readonly {
    readonly index: number
    readonly offset: number
    readonly leaderEpoch: number
    readonly metadata: string | null
  }[]
}

/**
 * Hands the offsets of known partitions to `keep` in one piece and answers per partition.
 * A refusal by `keep` is the answer for all of them.
 */
export function keepOffsets(
  broker: Broker,
  topics: readonly OffsetTopics[],
  keep: (offsets: readonly PartitionOffset[]) => ErrorCode,
) {
  const problemOf = (name: string, index: number, metadata: string | null): ErrorCode => {
    if (!broker.topics.find(name)?.partitions[index]) return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if (Buffer.byteLength(metadata ?? '') > MAX_METADATA_BYTES) return ErrorCode.OFFSET_METADATA_TOO_LARGE
    return ErrorCode.NONE
  }
  const sound = topics.flatMap(({ name, partitions }) =>
    partitions
      .filter(({ index, metadata }) => problemOf(name, index, metadata) === ErrorCode.NONE)
      .map(({ index, offset, leaderEpoch, metadata }) => ({
        topic: name,
        partition: index,
        offset,
        leaderEpoch,
        metadata,
      })),
  )
  const refusal = keep(sound)
  return {
    topics: topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(({ index, metadata }) => ({
        index,
        errorCode: refusal === ErrorCode.NONE ? problemOf(name, index, metadata) : refusal,
      })),
    })),
  }
}

export const offsetCommitEndpoint: Endpoint = endpoint(offsetCommit, (request, { broker }) => {
  const committer: Committer = request
  return keepOffsets(broker, request.topics, (offsets) => broker.groups.commit(committer, offsets))
})

type WantedTopics = readonly { readonly name: string; readonly partitions: readonly number[] }[]

function findOffsets(broker: Broker, groupId: string, wanted: WantedTopics | null, requireStable: boolean) {
  const { offsets } = broker.groups
  return (wanted ?? offsets.topicsOf(groupId)).map(({ name, partitions }) => ({
    name,
    partitions: partitions.map((index) => {
      const found = offsets.find(groupId, name, index)
      const isUnstable = requireStable && offsets.isStaged(groupId, name, index)
      if (isUnstable || !found) {
        const errorCode = isUnstable ? ErrorCode.UNSTABLE_OFFSET_COMMIT : ErrorCode.NONE
        return { index, offset: -1, leaderEpoch: -1, metadata: '', errorCode }
      }
      return { index, ...found, errorCode: ErrorCode.NONE }
    }),
  }))
}

/** OffsetFetch: up to version 7 for one group, later for several; no topics stands for all that were committed. */
export const offsetFetchEndpoint: Endpoint = endpoint(offsetFetch, (request, { broker, version }) => {
  if (version < 8) {
    return {
      topics: findOffsets(broker, request.groupId, request.topics, request.requireStable),
      errorCode: ErrorCode.NONE,
      groups: [],
    }
  }
  return {
    topics: [],
    errorCode: ErrorCode.NONE,
    groups: request.groups.map(({ groupId, topics }) => ({
      groupId,
      topics: findOffsets(broker, groupId, topics, request.requireStable),
      errorCode: ErrorCode.NONE,
    })),
  }
})

function isSubscribed(broker: Broker, groupId: string, topic: string): boolean {
  const group = broker.groups.find(groupId)
  // The subscription is the client's own format; while there are members, any topic of theirs may be in use.
  return (
    group !== undefined && !group.isUnused && broker.groups.offsets.topicsOf(groupId).some(({ name }) => name === topic)
  )
}

export const offsetDeleteEndpoint: Endpoint = endpoint(offsetDelete, ({ groupId, topics }, { broker }) => {
  if (!broker.groups.groupIds.includes(groupId)) return { errorCode: ErrorCode.GROUP_ID_NOT_FOUND, topics: [] }
  return {
    errorCode: ErrorCode.NONE,
    topics: topics.map(({ name, partitions }) => {
      const isUsed = isSubscribed(broker, groupId, name)
      const indexes = partitions.map(({ index }) => index)
      if (!isUsed) broker.groups.offsets.delete(groupId, name, indexes)
      const errorCode = isUsed ? ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC : ErrorCode.NONE
      return { name, partitions: indexes.map((index) => ({ index, errorCode })) }
    }),
  }
})
