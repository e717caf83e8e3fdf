import { durationMs } from '../settings/duration.ts'
import type { ShareRules } from '../settings/group-settings.ts'
import { BY_DURATION } from '../settings/share-settings.ts'
import type { Partition } from '../topics/partition.ts'

/** Where a group begins to read a partition (`share.auto.offset.reset`). */
export function beginOffset(partition: Partition, { reset, isolation }: ShareRules, now: number): number {
  const end = partition.endOffsetFor(isolation)
  if (reset === 'earliest') return partition.startOffset
  if (!reset.startsWith(BY_DURATION)) return end
  const since = now - (durationMs(reset.slice(BY_DURATION.length)) ?? 0)
  return Math.min(end, partition.offsetSince(Math.max(0, since))?.offset ?? end)
}
