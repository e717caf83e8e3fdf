import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonLine, safeJson, visible, visibleLines } from './index.ts'

/** Of all of Unicode: fast-check's own `binary` reads the tables of all alphabets first, for 1.5 s. */
const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point))

/** What nobody sees, what ends a line, and what turns text around: the naive twin of the ranges. */
const hidden =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u

const text = fc.string({ unit: codePoint, maxLength: 40 })
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001b[2J',
        '\r',
        '\n',
        '\u0085',
        '\u009b',
        '\u2028',
        '\u202e',
        '\ud800',
        '\udc00',
        '\u{e0041}',
        '👩‍🚀',
      ),
      text,
    ),
  )
  .map((parts) => parts.join(''))

describe('visible', () => {
  it.each([
    ['the title of the window', '\u001b]0;owned\u0007', '\\u001b]0;owned\\u0007'],
    ['a cleared screen by C1', '\u009b2J', '\\u009b2J'],
    ['a forged line', 'a\r\nlevel=fatal', 'a\\r\\nlevel=fatal'],
    ['text turned around', 'gpj.\u202eexe', 'gpj.\\u202eexe'],
    ['isolates', '\u2066a\u2069', '\\u2066a\\u2069'],
    ['line and paragraph separators', 'a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
    ['zero width', 'pay\u200bpal\ufeff', 'pay\\u200bpal\\ufeff'],
    ['tags', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
    ['half a surrogate pair', '\ud83d!\ude00', '\\ud83d!\\ude00'],
    ['delete', '\u007f', '\\u007f'],
  ])('shows %s', (_case, given, shown) => {
    expect(visible(given)).toBe(shown)
  })

  it('leaves letters, signs and emoji of every script', () => {
    const kept = 'Größe 10 € \\ "x" 日本語 ألف ñ 😀 𝒳'
    expect(visible(kept)).toBe(kept)
  })

  it('lets nothing hidden through, whatever it is given', () => {
    fc.assert(fc.property(nasty, (given) => !hidden.test(visible(given))))
  })

  it('says how much of a long text it left out', () => {
    expect(visible('abcdef', 4)).toBe('abcd… (2 more characters)')
    expect(visible('abcd', 4)).toBe('abcd')
  })
})

describe('visibleLines', () => {
  it('indents what follows the first line', () => {
    expect(visibleLines('Error: a\u001b\nforged\r\n\tat x')).toBe('Error: a\\u001b\n    forged\\r\n    \\tat x')
  })
})

describe('safeJson', () => {
  it('keeps the value of every JSON text, names included, and has nothing hidden in it', () => {
    fc.assert(
      fc.property(nasty, nasty, (name, value) => {
        const given = { [name]: [value, { [value]: name }] }
        const json = safeJson(JSON.stringify(given))
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(given)))
        expect(json).not.toMatch(hidden)
      }),
    )
  })

  it('leaves the white space between values', () => {
    expect(safeJson('{\n\t"a": 1\r\n}')).toBe('{\n\t"a": 1\r\n}')
  })
})

describe('jsonLine', () => {
  it('is one line for every reader', () => {
    expect(jsonLine({ 'a\u2028': '\u0085\u000b\u001c' })).toBe('{"a\\u2028":"\\u0085\\u000b\\u001c"}\n')
  })
})
