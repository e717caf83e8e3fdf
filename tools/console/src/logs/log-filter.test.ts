import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { keptLine } from './kept-line.ts'
import { fitting, type LogFilter } from './log-filter.ts'
import { readLogFilter } from './log-query.ts'

const LINE = {
  level: 40,
  time: 1000,
  service: 'orders',
  msg: 'not "sent"',
  status: 500,
  ok: false,
  none: null,
  'http.route': '/orders',
  event: { type: 'greeting', data: { list: [1, 'a'] } },
  ünder: 'ö',
  trace_id: 'abc',
}

function fits(filter: LogFilter, line: object = LINE): boolean {
  const kept = keptLine(1, JSON.stringify(line))
  if (kept === undefined) throw new Error('the line is not a JSON object')
  return fitting(filter)(kept)
}

describe('fitting', () => {
  it.each([
    ['service=orders', true],
    ['level=warn', true],
    ['level=40', false],
    ['msg=not "sent"', true],
    ['trace_id=abc', true],
    ['status=500', true],
    ['status=50', false],
    ['status=', false],
    ['ok=false', true],
    ['none=null', true],
    ['http.route=/orders', true],
    ['event.type=greeting', true],
    ['event.data.list=[1,"a"]', true],
    ['event.data.list.1=a', true],
    ['event.type.length=8', false],
    ['type=greeting', false],
    ['constructor.name=Object', false],
    ['ünder=ö', true],
    ['missing=1', false],
  ])('decides by the field %s: %s', (field, expected) => {
    const query = new URLSearchParams([['field', field]])
    expect(fits(readLogFilter(query))).toBe(expected)
    expect(fits(readLogFilter(new URLSearchParams([['exclude', field]])))).toBe(!expected)
  })

  it('wants all fields, and none of those excluded', () => {
    const filter = (query: string) => readLogFilter(new URLSearchParams(query))
    expect(fits(filter('field=status=500&field=ok=false&exclude=ok=true'))).toBe(true)
    expect(fits(filter('field=status=500&field=ok=true'))).toBe(false)
    expect(fits(filter('field=status=500&exclude=ok=true&exclude=ok=false'))).toBe(false)
  })

  it('parses a line once for all fields', () => {
    const kept = keptLine(1, JSON.stringify(LINE))
    const parse = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parse.mockRestore())
    const filter = readLogFilter(new URLSearchParams('field=status=500&field=ok=false&exclude=none=1&exclude=msg=1'))
    expect(kept && fitting(filter)(kept)).toBe(true)
    expect(parse).toHaveBeenCalledTimes(1)
  })

  it('begins at from and ends before to', () => {
    expect([1000, 1001].map((time) => fits({ since: 1000, until: 1001 }, { time }))).toEqual([true, false])
    expect(fits({ since: 1001 })).toBe(false)
  })
})

describe('readLogFilter', () => {
  it.each([
    ['level=loud', 'level "loud": expected one of trace, debug, info, warn, error, fatal'],
    ['field=status', 'field "status": expected NAME=VALUE'],
    ['exclude==1', 'exclude "=1": expected NAME=VALUE'],
    ['from=yesterday', 'from "yesterday": expected a whole number from 0 to 999999999999999'],
    ['to=-1', 'to "-1": expected a whole number from 0 to 999999999999999'],
    ['from=5&to=5', 'to "5": expected a time after from, which is 5'],
    [`text=${'x'.repeat(4001)}`, 'text: expected at most 4000 characters, got 4001'],
    [`field=a=${'x'.repeat(3999)}`, 'field: expected at most 4000 characters, got 4001'],
    [Array(21).fill('field=a=1').join('&'), 'field: expected at most 20, got 21'],
  ])('refuses %s', (query, detail) => {
    expect(() => readLogFilter(new URLSearchParams(query))).toThrow(
      expect.objectContaining({ status: 400, message: detail }),
    )
  })

  it('takes what is empty for not given', () => {
    const empty = new URLSearchParams('service=&level=&text=&trace=&from=&to=&field=&exclude=')
    expect(readLogFilter(empty)).toEqual({ fields: [], excluded: [] })
  })
})
