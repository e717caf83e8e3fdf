import type { RecordView } from '../../src/api/kafka.ts'

/** The wanted records: new ones as they come, or all from an offset of a partition or from a time on. */
export interface RecordsFrom {
  /** Empty: all. */
  readonly partition: string
  readonly at: 'tail' | 'offset' | 'time'
  readonly offset: string
  /** The value of an input of local time; empty for all times. */
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

/** Records in the order in which they are read: back from the newest where no offset and no time is given. */
export function inOrder({ at, time }: RecordsFrom, found: readonly RecordView[]): readonly RecordView[] {
  return at === 'tail' || (at === 'time' && time === '') ? found.toReversed() : found
}
