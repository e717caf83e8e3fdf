import type { BatchHeader } from '../records/record-batch.ts'
import { hasNumbers, isRecord } from '../storage/shapes.ts'
import type { SegmentCheckpoint } from './segment.ts'

/** State that is derived from the batches of a log and must be derived again when the log is opened. */
export interface DerivedState {
  /** Called for each batch that is in the log but in no checkpoint. */
  onBatch(header: BatchHeader, batch: Buffer): void
  /** Everything derived so far, as JSON. */
  save(): unknown
  /** Replaces everything derived so far. */
  restore(saved: unknown): void
}

/** What is saved of a log when a segment ends. */
export interface LogCheckpoint {
  readonly segment: SegmentCheckpoint
  /** What was derived from all batches up to there. */
  readonly derived: unknown
}

function isSegmentCheckpoint(value: unknown): value is SegmentCheckpoint {
  return (
    hasNumbers(value, 'size', 'nextOffset', 'maxTimestamp') &&
    'index' in value &&
    Array.isArray(value.index) &&
    value.index.every((entry) => hasNumbers(entry, 'offset', 'position', 'maxTimestampBefore'))
  )
}

/** Whether what was read from a file is a checkpoint. What is derived is not looked at. */
export function isLogCheckpoint(value: unknown): value is LogCheckpoint {
  return isRecord(value) && 'derived' in value && isSegmentCheckpoint(value['segment'])
}
