import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import type { TopicConfig } from '../settings/topic-settings.ts'
import { SELDOM } from '../storage/flushing.ts'
import type { TopicRules } from './topic-rules.ts'

/** What brokers coordinate, by partitions of a topic. */
export type Coordinated = 'group' | 'transaction'

interface InternalTopic {
  readonly name: string
  /** The settings that Apache Kafka gives it, with so many replicas. */
  config(factor: number): TopicConfig
}

/** As Apache Kafka's offsets.topic.num.partitions and transaction.state.log.num.partitions. */
export const INTERNAL_PARTITIONS = 50

const SEGMENT_BYTES = String(100 * 1024 * 1024)

/** The topics of the coordinators, which Apache Kafka creates, too, when they are asked for. */
export const INTERNAL_TOPICS: Readonly<Record<Coordinated, InternalTopic>> = {
  group: {
    name: '__consumer_offsets',
    config: () => ({ 'compression.type': 'producer', 'cleanup.policy': 'compact', 'segment.bytes': SEGMENT_BYTES }),
  },
  transaction: {
    name: '__transaction_state',
    config: (factor) => ({
      'compression.type': 'uncompressed',
      'cleanup.policy': 'compact',
      // As transaction.state.log.min.isr, which is lowered where there are not so many brokers.
      'min.insync.replicas': String(Math.min(2, factor)),
      'segment.bytes': SEGMENT_BYTES,
      'unclean.leader.election.enable': 'false',
    }),
  },
}

const names: ReadonlySet<string> = new Set(Object.values(INTERNAL_TOPICS).map(({ name }) => name))

/** Whether clients are told that a topic is not theirs; they may read it. */
export function isInternalTopic(name: string): boolean {
  return names.has(name)
}

/** The hash of a text in Java, by which Apache Kafka finds coordinators. */
function javaHash(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return hash
}

/** Which partition of its topic a group or transactional id belongs to; the topic has `count`. */
export function coordinatedIn(key: string, count: number): number {
  return (javaHash(key) & 0x7fffffff) % count
}

const COPY_SEGMENT_BYTES = 1024 * 1024

/**
 * What settings mean where records only repeat what the state of the cluster has: nothing is to flush, and segments are so small that the
 * cleaner, which leaves the last one alone, keeps the whole small.
 */
export function rulesOfCopy(rules: TopicRules): TopicRules {
  const segmentBytes = Math.min(rules.log.segmentBytes, COPY_SEGMENT_BYTES)
  return {
    ...rules,
    log: { ...rules.log, segmentBytes, flush: SELDOM },
    cleaning: { ...rules.cleaning, segmentBytes },
  }
}

/** For clients that write to one, or delete from it; in Apache Kafka's words. */
export function internalTopicRefused(): ProtocolError {
  const message = 'The request attempted to perform an operation on an invalid topic.'
  return new ProtocolError(ErrorCode.INVALID_TOPIC_EXCEPTION, message)
}
