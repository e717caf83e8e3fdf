import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import type { TopicConfig } from '../settings/topic-settings.ts'
import { hasNumbers, isRecord } from '../storage/shapes.ts'
import { isInternalTopic } from './internal-topics.ts'
import type { Partition } from './partition.ts'
import type { Stored } from './stored-bytes.ts'
import { isTopicName } from './topic-names.ts'
import type { TopicRules } from './topic-rules.ts'

/** In Apache Kafka's words. */
export function notHere(): ProtocolError {
  const message = 'This server does not host this topic-partition.'
  return new ProtocolError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, message)
}

export interface Topic {
  readonly name: string
  /** 32 hexadecimal digits. */
  readonly id: string
  readonly config: TopicConfig
  /** What the settings mean. */
  readonly rules: TopicRules
  readonly partitions: readonly Partition[]
}

/** What a client may say about a new topic. */
export interface NewTopic {
  readonly partitions?: number
  /** Replicas of each partition. */
  readonly factor?: number
  /** The replicas of each partition, instead of both. */
  readonly assignments?: readonly (readonly number[])[]
  readonly config?: TopicConfig
  /** Only says whether it could be created. */
  readonly validateOnly?: boolean
}

export interface StoredTopic {
  readonly id: string
  readonly partitions: number
  readonly config: TopicConfig
}

/** The id has to be safe as the name of a folder. */
export function isStoredTopic(name: string, stored: unknown): boolean {
  return (
    isTopicName(name) &&
    hasNumbers(stored, 'partitions') &&
    'id' in stored &&
    /^[0-9a-f]{32}$/.test(String(stored.id)) &&
    'config' in stored &&
    isRecord(stored.config) &&
    stored.partitions > 0 &&
    stored.partitions <= 1_000_000
  )
}

/**
 * A topic that is compacted and never deleted keeps what it has: its records are a state, not a past. Those of internal topics are the
 * copy of one.
 */
export function storedOf({ name, rules, partitions }: Topic): readonly Stored[] {
  if (rules.isDeleted || isInternalTopic(name)) return partitions
  return partitions.map(({ sizeInBytes }) => ({ sizeInBytes, dropOldest: () => false }))
}
