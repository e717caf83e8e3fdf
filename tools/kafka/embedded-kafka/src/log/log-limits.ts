import type { BatchHeader } from '../records/record-batch.ts'
import type { FlushLimits } from '../storage/flushing.ts'

/** When a log starts a new segment, drops old ones, and is flushed to the device. */
export interface LogLimits {
  readonly segmentBytes: number
  /** A batch that is younger than the first one of its segment by more than this starts a new one. */
  readonly segmentMs: number
  /** -1: any age. */
  readonly retentionMs: number
  /** -1: any size. */
  readonly retentionBytes: number
  /** Default: when the operating system likes. */
  readonly flush?: FlushLimits
}

/** When a log has this many segments, new ones begin by size alone, Apache Kafka's least one: no client gets a file for each batch. */
const MANY_SEGMENTS = 1000
const LEAST_OF_MANY_BYTES = 1_048_576

interface WrittenSegment {
  readonly size: number
  /** -1 without one. */
  readonly firstTimestamp: number
}

/** Whether a batch has to begin a new segment, in a log that has `count` of them. */
export function isFullFor(
  { size: batchBytes, maxTimestamp }: BatchHeader,
  { size, firstTimestamp }: WrittenSegment,
  count: number,
  { segmentBytes, segmentMs }: LogLimits,
): boolean {
  if (size === 0) return false
  const areMany = count >= MANY_SEGMENTS
  if (size + batchBytes > (areMany ? Math.max(segmentBytes, LEAST_OF_MANY_BYTES) : segmentBytes)) return true
  return !areMany && firstTimestamp >= 0 && maxTimestamp - firstTimestamp > segmentMs
}

/** True when the newest record of a segment is older than the log keeps records. */
export function isTooOld(
  { newestMs }: { readonly newestMs: number },
  now: number,
  { retentionMs }: LogLimits,
): boolean {
  return retentionMs >= 0 && newestMs + retentionMs <= now
}
