import type { Broker } from '../../broker/broker.ts'
import type { CommittedOffset, PartitionOffset } from '../../groups/committed-offset.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { forPartitions, type TopicPartitions } from '../definition/by-topic.ts'

/** As Apache Kafka's offset.metadata.max.bytes. */
const MAX_METADATA_BYTES = 4096

type Offset = CommittedOffset & { readonly index: number }

/**
 * Hands the offsets of known partitions to `keep` all at once and answers for each partition.
 * A refusal by `keep` is the answer for all of them.
 */
export function keepOffsets(
  broker: Broker,
  topics: readonly TopicPartitions<Offset>[],
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
    topics: forPartitions(topics, ({ index, metadata }, name) => ({
      index,
      errorCode: refusal === ErrorCode.NONE ? problemOf(name, index, metadata) : refusal,
    })),
  }
}
