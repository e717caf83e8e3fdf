import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { topLevelSpans } from './json-spans.ts'

describe('topLevelSpans', () => {
  it('finds repeated and escaped keys', () => {
    const text = ' { "a" : 1 , "\\u0061":[ "]" ], "b":{"c":"}"} } '
    expect(topLevelSpans(text).map(({ key, start, end }) => [key, text.slice(start, end)])).toEqual([
      ['a', '1'],
      ['a', '[ "]" ]'],
      ['b', '{"c":"}"}'],
    ])
  })

  it.each(['{}', '[]', ' [ ] '])('finds nothing in %j', (text) => {
    expect(topLevelSpans(text)).toEqual([])
  })

  it('finds what JSON.parse finds, however it is laid out', () => {
    const container = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))
    fc.assert(
      fc.property(container, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const parsed = JSON.parse(text) as Record<string, unknown>
        const found = topLevelSpans(text).map(({ key, start, end }) => [key, JSON.parse(text.slice(start, end))])
        expect(found).toEqual(Object.entries(parsed).map(([key, inner]) => [Array.isArray(parsed) ? '' : key, inner]))
      }),
    )
  })
})
