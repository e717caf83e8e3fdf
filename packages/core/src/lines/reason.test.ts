import { describe, expect, it } from 'vitest'
import { reasonOf, reasonWithCause } from './reason.ts'

describe('reasonOf', () => {
  it.each([
    ['the message of an error', new Error('broken'), 'broken'],
    ['the name of an error without one', new TypeError(''), 'TypeError'],
    ['any other value as text', 42, '42'],
    [
      'the issues of a validation error, on one line',
      Object.assign(new Error('[\n  {\n    "expected": "string"'), {
        issues: [
          { message: 'expected string', path: ['order', 0, { key: 'name' }] },
          { message: 'unknown key', path: [] },
        ],
      }),
      'order.0.name: expected string; unknown key',
    ],
    [
      'the first issues of many',
      Object.assign(new Error('many'), { issues: Array.from({ length: 7 }, () => ({ message: 'wrong' })) }),
      'wrong; wrong; wrong; wrong; wrong; and 2 more',
    ],
    ['the message where issues are something else', Object.assign(new Error('broken'), { issues: [1] }), 'broken'],
    ['a word for an object that refuses conversion', Object.create(null), 'unknown error'],
  ])('is %s', (_, error, reason) => {
    expect(reasonOf(error)).toBe(reason)
  })
})

describe('reasonWithCause', () => {
  const refused = new Error('ECONNREFUSED ::1')

  it.each([
    ['an error alone', refused, 'ECONNREFUSED ::1'],
    [
      'the innermost cause',
      new Error('no beers', { cause: new Error('fetch failed', { cause: refused }) }),
      'no beers: ECONNREFUSED ::1',
    ],
    [
      'the first of several causes',
      new Error('no beers', { cause: new AggregateError([refused]) }),
      'no beers: ECONNREFUSED ::1',
    ],
  ])('tells %s', (_, error, reason) => {
    expect(reasonWithCause(error)).toBe(reason)
  })

  it('ends with causes that go round', () => {
    const error = new Error('round')
    error.cause = new Error('and round', { cause: error })
    expect(reasonWithCause(error)).toBe('round')
  })
})
