import { describe, expect, it } from 'vitest'
import type { LogRecord } from '../topic-log.ts'
import { comparePrices, compareSeen, hasSeenLast } from './findings.ts'

/** Records of one partition with these names; offsets leave room for the marks of transactions. */
const log = (names: string, partition = 0): LogRecord[] =>
  [...names].map((key, index) => ({ partition, offset: BigInt(index * 2), key, value: `{${key}}` }))

/** Events as a stream of these records sends them. */
function events(records: readonly LogRecord[]) {
  const position = new Map<number, bigint>()
  return records.map(({ partition, offset, value }) => {
    position.set(partition, offset)
    return { id: [...position].map(([number, at]) => `${number}-${at}`).join('.'), data: value }
  })
}

describe('comparePrices', () => {
  it('finds nothing when every beer has one price, in order', () => {
    expect(comparePrices([...log('abca'), ...log('xy', 1)], [...log('xy', 1), ...log('abca')])).toEqual([])
  })

  it.each([
    ['a missing price', 'abc', 'ac', ['is followed by "c" at offset 2', '3 beers have 2 prices']],
    ['a missing last price', 'abc', 'ab', ['"c" at offset 4 of beer is followed by nothing', '3 beers have 2 prices']],
    ['a doubled price', 'abc', 'abbc', ['is followed by "b"', '3 beers have 4 prices']],
    ['a doubled last price', 'abc', 'abcc', ['3 beers have 4 prices']],
    ['prices out of order', 'abc', 'acb', ['"b" at offset 2 of beer is followed by "c"']],
    ['prices of no beer', '', 'ab', ['2 prices of no beer']],
  ])('finds %s', (_, beers, prices, findings) => {
    const found = comparePrices(log(beers), log(prices))
    expect(found).toEqual(findings.map((finding) => expect.stringContaining(finding)))
  })
})

describe('compareSeen', () => {
  const [a, b, c] = log('abc')
  const [x] = log('x', 1)
  if (a === undefined || b === undefined || c === undefined || x === undefined) throw new Error('made above')

  it('finds nothing when every priced beer was seen once, whatever partition came first', () => {
    expect(compareSeen([a, b, c, x], events([a, x, b, c]))).toEqual([])
    expect(compareSeen([a, b, c, x], events([a, b, c, x]))).toEqual([])
  })

  it.each([
    ['a gap', [a, c], 'event 1 is offset 4 of partition 0, {c}; expected offset 2, {b}'],
    ['a beer seen out of order', [a, c, b], 'event 1 is offset 4 of partition 0, {c}; expected offset 2, {b}'],
    ['a first event that is not in the log', [x], 'the first event, "1-0" {x}, is no priced beer'],
    ['a missing end', [a, b], 'the last 1 of 3 priced beers of partition 0 were not seen'],
    ['a beer that is not in the log', [a, b, c, x], 'expected no more'],
    ['other data', [a, { ...b, value: '{}' }], 'event 1 is offset 2 of partition 0, {}; expected offset 2, {b}'],
    ['a beer seen twice', [a, b, b], 'event 2 has the id "0-2" after "0-2"'],
  ])('finds %s', (_, seen, finding) => {
    expect(compareSeen([a, b, c], events(seen))).toEqual([expect.stringContaining(finding)])
  })

  it('counts from the first beer that was seen, in every partition', () => {
    const late = events([a, x, b, c]).slice(1)
    expect(compareSeen([a, b, c, x], late)).toEqual([])
    expect(compareSeen([a, b, c, x], late.slice(0, -1))).toEqual([expect.stringContaining('the last 1 of 3')])
    expect(compareSeen([a], [])).toEqual(['no beer was seen'])
  })

  it('finds an id that goes back in another partition', () => {
    const seen = [...events([a, x, b]), { id: '0-4', data: '{c}' }]
    expect(compareSeen([a, b, c, x], seen)).toEqual([expect.stringContaining('does not move in one partition')])
  })
})

describe('hasSeenLast', () => {
  it('is so once the last event is the last of every partition', () => {
    const records = [...log('ab'), ...log('x', 1)]
    expect(hasSeenLast(records, events(records))).toBe(true)
    expect(hasSeenLast(records, events(records).slice(0, -1))).toBe(false)
    expect(hasSeenLast(records, [])).toBe(false)
  })
})
