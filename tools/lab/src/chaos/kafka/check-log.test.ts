import { describe, expect, it } from 'vitest'
import { checkLog } from './check-log.ts'
import type { LogHistory } from './history.ts'

/** Two records, one after the other, which a reader got; both ends and positions were asked for in between. */
const GOOD: LogHistory = {
  appends: [
    { partition: 0, value: 'a', offset: 0, invoked: 0, returned: 10 },
    { partition: 0, value: 'b', offset: 1, invoked: 20, returned: 30 },
    { partition: 0, value: 'c', offset: undefined, invoked: 40, returned: Number.POSITIVE_INFINITY },
  ],
  reads: [{ partition: 0, offset: 0, value: 'a', at: 5 }],
  ends: [
    { partition: 0, offset: 1, invoked: 11, returned: 12 },
    { partition: 0, offset: 2, invoked: 31, returned: 32 },
  ],
  positions: [
    { kind: 'fetch', offset: -1, invoked: 0, returned: 1 },
    { kind: 'commit', offset: 1, invoked: 2, returned: 3 },
    { kind: 'fetch', offset: 1, invoked: 4, returned: 5 },
  ],
  log: [
    { partition: 0, offset: 0, value: 'a', at: 50 },
    { partition: 0, offset: 1, value: 'b', at: 50 },
  ],
}

describe('decisions 3.92: checkLog', () => {
  it('finds nothing in a history that could have happened in the order of the log', () => {
    expect(checkLog(GOOD)).toEqual([])
    const late = { partition: 0, offset: 2, value: 'c', at: 60 }
    expect(checkLog({ ...GOOD, log: [...GOOD.log, late] })).toEqual([])
  })

  it.each<[string, Partial<LogHistory>, RegExp]>([
    ['a record that is lost', { log: GOOD.log.slice(0, 1) }, /"b" was acknowledged at 1, where "undefined" is/],
    [
      'a record that is there twice',
      { log: [...GOOD.log, { ...GOOD.log[0], offset: 2 } as never] },
      /"a" is there twice/,
    ],
    [
      'a record that was not sent',
      { log: [...GOOD.log, { partition: 0, offset: 2, value: 'x', at: 0 }] },
      /"x".*never sent/,
    ],
    [
      'records in another order than they were acknowledged in',
      {
        appends: GOOD.appends.map((append) => (append.value === 'c' ? append : { ...append, offset: undefined })),
        log: GOOD.log.map((read) => ({ ...read, offset: 1 - read.offset })),
        reads: [],
      },
      /"b" was sent after 1 was written/,
    ],
    ['a read of what is gone', { reads: [{ partition: 0, offset: 1, value: 'a', at: 5 }] }, /"a" was read at 1/],
    ['a read of what comes', { reads: [{ partition: 0, offset: 1, value: 'b', at: 5 }] }, /before it was sent/],
    [
      'an end before an acknowledged record',
      { ends: [{ partition: 0, offset: 1, invoked: 31, returned: 32 }] },
      /when it was 2/,
    ],
    [
      'an end that goes back',
      { ends: [{ ...GOOD.ends[1], invoked: 1, returned: 2 } as never, ...GOOD.ends] },
      /when it was 2/,
    ],
    [
      'a committed offset that is forgotten',
      { positions: [...GOOD.positions, { kind: 'fetch', offset: -1, invoked: 6, returned: 7 }] },
      /given as -1, not 1/,
    ],
    [
      'a committed offset of no client',
      { positions: [{ kind: 'fetch', offset: 7, invoked: 0, returned: 1 }] },
      /no client/,
    ],
  ])('finds %s', (_what, change, finding) => {
    expect(checkLog({ ...GOOD, ...change }).join('\n')).toMatch(finding)
  })
})
