import type { CleaningRules } from '../cleaner/cleanable.ts'
import type { LogLimits } from '../log/log-limits.ts'
import { canCompress } from '../records/compress.ts'
import type { BatchCompression } from '../records/record-batch.ts'
import { itemsOf } from '../settings/setting-type.ts'
import { settingNumber, settingValue, type TopicConfig } from '../settings/topic-settings.ts'
import { type FlushLimits, SELDOM } from '../storage/flushing.ts'

/** A segment is a file, or a buffer: large enough for many batches, small enough for memory. */
const SEGMENT_BYTES = { least: 1024, most: 1_073_741_824 } as const

/** What a topic's settings mean here: worked out once, not for each batch. */
export interface TopicRules {
  readonly maxMessageBytes: number
  /** How many replicas must have what is produced with acks=all. */
  readonly minInsyncReplicas: number
  /** A replica that is not in sync may lead when no other can. */
  readonly isUncleanElected: boolean
  /** Records need keys. */
  readonly isCompacted: boolean
  /** Old records may be deleted. */
  readonly isDeleted: boolean
  /** The broker says when records were written. */
  readonly hasAppendTime: boolean
  readonly beforeMaxMs: number
  readonly afterMaxMs: number
  /** How batches are to be compressed; undefined: as they came. */
  readonly compression: { readonly codec: BatchCompression; readonly level: number } | undefined
  readonly log: LogLimits
  readonly cleaning: CleaningRules
}

function compressionOf(config: TopicConfig): TopicRules['compression'] {
  const type = settingValue(config, 'compression.type').trim()
  if (type === 'producer') return undefined
  const codec = (type === 'uncompressed' ? 'none' : type) as BatchCompression
  if (!canCompress(codec)) return undefined
  const hasLevel = codec === 'gzip' || codec === 'zstd'
  return { codec, level: hasLevel ? settingNumber(config, `compression.${codec}.level`) : 0 }
}

function segmentBytesOf(config: TopicConfig): number {
  const isInternal = Object.hasOwn(config, 'internal.segment.bytes')
  const bytes = settingNumber(config, isInternal ? 'internal.segment.bytes' : 'segment.bytes')
  return Math.min(Math.max(bytes, SEGMENT_BYTES.least), SEGMENT_BYTES.most)
}

/** The default, 2^63, is no time. */
function orNever(timeMs: number): number {
  return timeMs > Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : timeMs
}

/** The topic's own settings before those of the broker. */
function flushOf(config: TopicConfig, ofBroker: FlushLimits): FlushLimits {
  const own = (name: string) => (Object.hasOwn(config, name) ? orNever(settingNumber(config, name)) : undefined)
  return { everyCount: own('flush.messages') ?? ofBroker.everyCount, everyMs: own('flush.ms') ?? ofBroker.everyMs }
}

/** What settings that were checked mean; `flush` is what the broker does with logs whose topic does not say. */
export function topicRules(config: TopicConfig, flush: FlushLimits = SELDOM): TopicRules {
  const policy = itemsOf(settingValue(config, 'cleanup.policy'))
  const isDeleted = policy.includes('delete')
  const isCompacted = policy.includes('compact')
  const number = (name: string) => settingNumber(config, name)
  const segmentBytes = segmentBytesOf(config)
  const maxLagMs = orNever(number('max.compaction.lag.ms'))
  const segmentMs = number('segment.ms')
  return {
    maxMessageBytes: number('max.message.bytes'),
    minInsyncReplicas: number('min.insync.replicas'),
    isUncleanElected: settingValue(config, 'unclean.leader.election.enable').trim().toLowerCase() === 'true',
    isCompacted,
    isDeleted,
    hasAppendTime: settingValue(config, 'message.timestamp.type').trim() === 'LogAppendTime',
    beforeMaxMs: number('message.timestamp.before.max.ms'),
    afterMaxMs: number('message.timestamp.after.max.ms'),
    compression: compressionOf(config),
    log: {
      segmentBytes,
      segmentMs: isCompacted ? Math.min(segmentMs, maxLagMs) : segmentMs,
      retentionMs: isDeleted ? number('retention.ms') : -1,
      // Any negative number is no limit.
      retentionBytes: isDeleted ? Math.max(number('retention.bytes'), -1) : -1,
      flush: flushOf(config, flush),
    },
    cleaning: {
      minDirtyRatio: number('min.cleanable.dirty.ratio'),
      minLagMs: number('min.compaction.lag.ms'),
      maxLagMs,
      deleteRetentionMs: number('delete.retention.ms'),
      segmentBytes,
    },
  }
}
