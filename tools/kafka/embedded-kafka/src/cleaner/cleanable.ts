import type { PartitionLog } from '../log/partition-log.ts'
import type { Segment } from '../log/segment.ts'
import type { AbortedRange } from './transactions.ts'

/** How a log is cleaned. */
export interface CleaningRules {
  /** More than this share of the log must be dirty. */
  readonly minDirtyRatio: number
  /** How long every record stays, in milliseconds. */
  readonly minLagMs: number
  /** A record older than this makes its log dirty enough. */
  readonly maxLagMs: number
  /** How long a record without value stays after the first cleaning. */
  readonly deleteRetentionMs: number
  /** Segments are put together up to this size. */
  readonly segmentBytes: number
}

/** A log that is compacted. */
export interface CleanableLog {
  readonly log: PartitionLog
  readonly rules: CleaningRules
  /** Before it, every transaction has ended. */
  readonly lastStableOffset: number
  aborted(): readonly AbortedRange[]
  /** Records before this offset were compared with each other already. */
  readonly cleanedTo: number
  /** Its files are closed or removed: nothing must be written any more. */
  isClosed(): boolean
  noteCleaned(offset: number): void
}

/** What could be cleaned now, and whether it should. */
export interface CleaningNeed {
  /** Sealed segments with records that were not compared with each other yet. */
  readonly dirty: readonly Segment[]
  /** The dirty part of the log, 0 to 1. */
  readonly ratio: number
  readonly isDue: boolean
  /** When to look again although nothing was written; undefined when that is not needed. */
  readonly nextLook: number | undefined
}

function bytesOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { size }) => sum + size, 0)
}

/** When a record will be too old for the log to be left dirty. */
function latestStart(segment: Segment, { maxLagMs }: CleaningRules): number {
  return segment.firstTimestamp < 0 ? Number.POSITIVE_INFINITY : segment.firstTimestamp + maxLagMs
}

/** Looks at a log, of which only what is sealed, old enough and behind no open transaction can be cleaned. */
export function cleaningNeed(target: CleanableLog, now: number): CleaningNeed {
  const { log, rules, lastStableOffset, cleanedTo } = target
  const notYet = log.sealed.filter(({ nextOffset }) => nextOffset > cleanedTo)
  const isFree = (segment: Segment) =>
    segment.nextOffset <= lastStableOffset && (rules.minLagMs === 0 || segment.newestMs + rules.minLagMs < now)
  const blocked = notYet.findIndex((segment) => !isFree(segment))
  const dirty = blocked < 0 ? notYet : notYet.slice(0, blocked)
  const dirtyBytes = bytesOf(dirty)
  const cleanBytes = bytesOf(log.sealed.filter(({ nextOffset }) => nextOffset <= cleanedTo))
  const ratio = dirtyBytes === 0 ? 0 : dirtyBytes / (dirtyBytes + cleanBytes)
  const [oldest] = dirty
  const latest = oldest ? latestStart(oldest, rules) : Number.POSITIVE_INFINITY
  const isDue = dirtyBytes > 0 && (ratio > rules.minDirtyRatio || latest < now)
  const waiting = notYet[blocked]
  const freeAt = waiting ? Math.max(now, waiting.newestMs + rules.minLagMs + 1) : Number.POSITIVE_INFINITY
  const nextLook = Math.min(freeAt, latest + 1)
  return { dirty, ratio, isDue, nextLook: Number.isFinite(nextLook) ? nextLook : undefined }
}
