import type { GroupView, RecordCount, TopicLag } from '../../src/api/kafka.ts'
import { count } from '../pieces/format.ts'

/** `12 records`, or `at most 12 records` where offsets are all that is known. */
export function recordsText({ count: records, isExact }: RecordCount): string {
  return `${isExact || records === 0 ? '' : 'at most '}${count(records, 'record')}`
}

/** `lag 3`, `lag at most 3` or `up to date`. */
export function lagText({ count: records, isExact }: RecordCount): string {
  if (records === 0) return 'up to date'
  return `lag ${isExact ? '' : 'at most '}${records.toLocaleString('en')}`
}

/** Only a growing lag is amber: every reader lags a little between two commits. */
export function lagClass({ count: records, isGrowing }: TopicLag): string {
  if (isGrowing) return 'chip warn'
  return records > 0 ? 'chip' : 'chip good'
}

/** The lags of all groups that read a topic, together; undefined when none of them commits. */
export function lagIn(topic: string, groups: readonly GroupView[]): TopicLag | undefined {
  const own = groups.flatMap(({ lags }) => lags.filter((lag) => lag.topic === topic))
  if (own.length === 0) return undefined
  return {
    topic,
    count: own.reduce((sum, lag) => sum + lag.count, 0),
    isExact: own.every(({ isExact }) => isExact),
    isGrowing: own.some(({ isGrowing }) => isGrowing),
  }
}
