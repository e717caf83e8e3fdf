import { hasNumbers, isRecord } from '../storage/shapes.ts'
import type { InFlight } from './in-flight.ts'

/** A partition of a share group as it is kept. What members have is kept as available, as often delivered as before. */
export interface SavedPartition {
  /** {@link UNINITIALIZED} until the group reads it. */
  readonly startOffset: number
  readonly leaderEpoch: number
  readonly parts: readonly SavedPart[]
}

/** First and last offset, how often they were delivered, and 1 where they are done with. */
type SavedPart = readonly [first: number, last: number, deliveryCount: number, done: 0 | 1]

export const UNINITIALIZED = -1

export function saved(startOffset: number, leaderEpoch: number, parts: readonly InFlight[]): SavedPartition {
  const kept = parts.flatMap(({ first, last, deliveryCount, state }): SavedPart[] => {
    if (state.is === 'done') return [[first, last, deliveryCount, 1]]
    const count = state.is === 'acquired' ? deliveryCount - 1 : deliveryCount
    return count === 0 ? [] : [[first, last, count, 0]]
  })
  return { startOffset, leaderEpoch, parts: kept }
}

export function restored({ parts }: SavedPartition): readonly InFlight[] {
  return parts.map(([first, last, deliveryCount, done]) => ({
    first,
    last,
    deliveryCount,
    state: { is: done ? 'done' : 'available' },
  }))
}

/** Whether it knows of offsets from `end` on. */
export function reachesBehind({ startOffset, parts }: SavedPartition, end: number): boolean {
  return startOffset > end || (parts.at(-1)?.[1] ?? UNINITIALIZED) >= end
}

/** Without what it knows of offsets from `end` on, at which other records will be. */
export function cutAt({ startOffset, leaderEpoch, parts }: SavedPartition, end: number): SavedPartition {
  const kept = parts.filter(([first]) => first < end)
  return {
    startOffset: Math.min(startOffset, end),
    leaderEpoch,
    parts: kept.map(([first, last, count, done]) => [first, Math.min(last, end - 1), count, done]),
  }
}

function isPart(value: unknown): boolean {
  return Array.isArray(value) && value.length === 4 && value.every(Number.isSafeInteger)
}

/** Whether a value read from a file is one; its parts are ascending. */
export function isSavedPartition(value: unknown): value is SavedPartition {
  if (!isRecord(value) || !hasNumbers(value, 'startOffset', 'leaderEpoch')) return false
  const { parts, startOffset } = value as { readonly parts?: unknown; readonly startOffset: number }
  if (!Array.isArray(parts) || !parts.every(isPart)) return false
  let next = startOffset
  for (const [first, last] of parts as SavedPartition['parts']) {
    if (first < next || last < first) return false
    next = last + 1
  }
  return true
}
