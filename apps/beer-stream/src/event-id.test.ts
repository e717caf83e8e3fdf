import { describe, expect, it } from 'vitest'
import { formatEventId, parseEventId } from './event-id.ts'

describe('formatEventId', () => {
  it('names the position in every partition that has one', () => {
    expect(formatEventId([[0, 123n]])).toBe('0-123')
    expect(
      formatEventId([
        [0, 5n],
        [1, -1n],
        [2, 9_007_199_254_740_993n],
      ]),
    ).toBe('0-5.2-9007199254740993')
  })
})

describe('parseEventId', () => {
  it('reads back what formatEventId wrote', () => {
    expect(parseEventId('0-5.2-9007199254740993')).toEqual(
      new Map([
        [0, 5n],
        [2, 9_007_199_254_740_993n],
      ]),
    )
  })

  it.each([
    '',
    'x',
    '5',
    '0-',
    '-1',
    '0--1',
    '0-1.',
    '0-1,1-2',
    '0-1.0-2',
    ' 0-1',
    `0-${'9'.repeat(19)}`,
    '0-1.'.repeat(2000),
  ])('knows no position in %j', (id) => {
    expect(parseEventId(id)).toBeUndefined()
  })
})
