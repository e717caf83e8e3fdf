import { describe, expect, it } from 'vitest'
import { clientSpan, errorTypeOf, inThisSpan, outsideSpans, tracing } from './index.ts'

describe('tracing, without an SDK', () => {
  it('decisions 3.97: is undefined, and everything else does its work alone', () => {
    expect(tracing()).toBeUndefined()
    expect(clientSpan('test', { method: 'GET', url: new URL('http://127.0.0.1/') })).toBeUndefined()
    expect(inThisSpan()(() => 1)).toBe(1)
    expect(outsideSpans(() => 2)).toBe(2)
  })
})

describe('errorTypeOf', () => {
  it.each([
    ['a word', 'client_left', 'client_left'],
    ['an error with a code', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    ['an error with a number', Object.assign(new TypeError('x'), { code: 20 }), 'TypeError'],
    ['something else', { secret: 1 }, '_OTHER'],
  ])('names %s', (_case, error, expected) => {
    expect(errorTypeOf(error)).toBe(expected)
  })
})
