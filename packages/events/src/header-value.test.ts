import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeHeaderValue, encodedLength, encodeHeaderValue, textOfHeader } from './header-value.ts'

describe('header values (CloudEvents HTTP binding 3.1.3.2)', () => {
  it.each([
    ['plain', 'plain'],
    ['Euro%20%E2%82%AC%20%F0%9F%98%80', 'Euro € 😀'],
    ['a%20b', 'a b'],
    ['a%2fb%41', 'a/bA'],
    ['a b', 'a b'],
    ['"a b"', 'a b'],
    ['"say \\"hi\\" \\\\ 100%25"', 'say "hi" \\ 100%'],
    ['{"a":1}', '{"a":1}'],
    ['%2520', '%20'],
    ['"a\\%20b"', 'a b'],
  ])('%j is decoded to %j', (header, value) => {
    expect(decodeHeaderValue(header)).toBe(value)
  })

  it.each([
    ['%', '%'],
    ['50% off', '50% off'],
    ['100%', '100%'],
    ['%zz%4', '%zz%4'],
    ['%%41', '%A'],
    ['gr\xc3\xbc\xc3\x9fe', 'grüße'],
    ['\xf0\x9f\x98\x80 %F0%9F%98%80', '😀 😀'],
    ['grüße €', 'grüße €'],
  ])('decisions 1.80: %j, which no specification allows, is %j', (header, value) => {
    expect(decodeHeaderValue(header)).toBe(value)
  })

  it.each(['%C0%A0', '%ED%A0%80', '%ff', '"open', '"', '"a\\"', '"a" b', 'gr\xfc\xdfe', '\xc3%20'])(
    '%j cannot be decoded',
    (header) => {
      expect(decodeHeaderValue(header)).toBeUndefined()
    },
  )

  it.each([
    ['%ff', '%ff'],
    ['"open', '"open'],
    ['gr\xc3\xbc\xc3\x9fe%20', 'grüße%20'],
    ['gr\xfc\xdfe', 'grüße'],
    ['\xc3%20', 'Ã%20'],
  ])('%j has the text %j', (header, text) => {
    expect(textOfHeader(header)).toBe(text)
  })

  it('encodes as the specification shows', () => {
    expect(encodeHeaderValue('Euro € 😀')).toBe('Euro%20%E2%82%AC%20%F0%9F%98%80')
    expect(encodeHeaderValue('~100%"')).toBe('~100%25%22')
  })

  it('any text survives, in printable ASCII without space and quote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const header = encodeHeaderValue(text)
        expect(header).toMatch(/^[\x21\x23-\x7e]*$/)
        expect(decodeHeaderValue(header)).toBe(text)
        expect(encodedLength(text)).toBe(header.length)
      }),
    )
  })
})
