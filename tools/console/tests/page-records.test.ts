import { expect, it } from 'vitest'
import { inOrder, queryOf, type RecordsFrom } from '../page/kafka/records-from.ts'
import type { RecordView } from '../src/api/kafka.ts'

const record = (offset: string): RecordView => ({
  ...{ topic: 'beers', partition: 0, offset, time: 1 },
  ...{ key: null, value: null, headers: [] },
})

it.each([
  [{ at: 'tail' }, '', ['2', '1']],
  [{ at: 'time', time: '' }, '', ['2', '1']],
  [{ at: 'time', time: '1970-01-01T00:00:01Z' }, 'time=1000', ['1', '2']],
  [{ at: 'offset', offset: '1' }, 'partition=0&offset=1', ['1', '2']],
] as const)('records from %j are asked for, and shown in the order in which they are read', (given, query, offsets) => {
  const from: RecordsFrom = { partition: '', offset: '', time: '', text: '', ...given }
  expect(String(queryOf(from))).toBe(query)
  expect(inOrder(from, [record('1'), record('2')]).map(({ offset }) => offset)).toEqual(offsets)
})
