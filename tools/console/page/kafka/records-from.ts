import type { RecordView } from '../../src/api/kafka.ts'

/** Which records: those that come, those from an offset of a partition on, or those from a time on. */
export interface RecordsFrom {
  /** Empty: all. */
  readonly partition: string
  readonly at: 'tail' | 'offset' | 'time'
  readonly offset: string
  /** As an input of local time has it; empty: as without one. */
  readonly time: string
  /** Searched for in keys, values and headers, unless it is empty. */
  readonly text: string
}

export function queryOf({ partition, at, offset, time, text }: RecordsFrom): URLSearchParams {
  const query = new URLSearchParams()
  if (partition !== '') query.set('partition', partition)
  if (at === 'offset') {
    query.set('partition', partition === '' ? '0' : partition)
    query.set('offset', offset === '' ? '0' : offset)
  }
  if (at === 'time' && time !== '') query.set('time', String(new Date(time).getTime()))
  if (text !== '') query.set('text', text)
  return query
}

/** The order in which they are read: back from the newest where no offset and no time is given. */
export function inOrder({ at, time }: RecordsFrom, found: readonly RecordView[]): readonly RecordView[] {
  return at === 'tail' || (at === 'time' && time === '') ? found.toReversed() : found
}
