import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkJson, JsonError, LIMITS, parseJson } from './index.ts'
import { endOfString } from './parse-json.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const codeOf = (read: () => unknown) => {
  try {
    read()
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(JsonError)
    return (error as JsonError).code
  }
}

describe.each([
  ['parseJson', (text: string) => void parseJson(text)],
  ['checkJson', (text: string) => void checkJson(text)],
])('%s', (_name, read) => {
  it('takes what JSON.parse takes and nothing else', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      'u00e9',
      'a',
      '1',
      '-',
      '.',
      '0',
      'e',
      'true',
      'null',
      ' ',
      '\n',
    ]
    const mostlyJson = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ...pieces, '\u0000', '\u2028'), fc.nat(2))
    fc.assert(
      fc.property(
        fc.oneof(
          mostlyJson,
          fc.array(fc.constantFrom(...pieces)).map((all) => all.join('')),
        ),
        (input) => {
          const [json, place, inserted, removed] = typeof input === 'string' ? [input, 0, '', 0] : input
          const at = place % (json.length + 1)
          const text = json.slice(0, at) + inserted + json.slice(at + removed)
          const expected = codeOf(() => {
            try {
              JSON.parse(text)
            } catch {
              throw new JsonError('JSON_INVALID', '')
            }
          })
          expect(codeOf(() => read(text))).toBe(expected)
        },
      ),
      { numRuns: 1500 },
    )
  })

  it.each([
    '',
    ' ',
    '{',
    '"',
    '"\\',
    '"\\u12',
    '[1,',
    '{"a"',
    '{"a":',
    '01',
    '1.',
    '-',
    '+1',
    'nul',
    '[1 2]',
    '{,}',
    '[,]',
  ])('refuses %j', (text) => {
    expect(codeOf(() => read(text))).toBe('JSON_INVALID')
  })

  it('takes the deepest nesting allowed and refuses one level more, naming the rule', () => {
    read(nested(LIMITS.jsonDepth))
    expect(codeOf(() => read(nested(LIMITS.jsonDepth + 1)))).toBe('JSON_TOO_DEEP')
    expect(() => read(nested(LIMITS.jsonDepth + 1))).toThrow('500 levels')
    expect(codeOf(() => read('{"a":'.repeat(200_000)))).toBe('JSON_TOO_DEEP')
  })

  it('counts nothing inside strings', () => {
    read(JSON.stringify('[{,"\\'.repeat(100_000)))
  })
})

describe('parseJson', () => {
  it('builds what JSON.parse builds', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('reads bytes of UTF-8, with a byte order mark or without', () => {
    for (const mark of ['', '\ufeff']) expect(parseJson(Buffer.from(`${mark}["é"]`))).toEqual(['é'])
    expect(codeOf(() => parseJson(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])))).toBe('JSON_INVALID')
    expect(codeOf(() => parseJson(Buffer.from('\ufeff\ufeff1')))).toBe('JSON_INVALID')
  })

  it('refuses more values than are allowed', () => {
    const values = (count: number) => JSON.stringify(Array.from({ length: count - 1 }, () => 0))
    parseJson(values(LIMITS.jsonValues))
    expect(codeOf(() => parseJson(values(LIMITS.jsonValues + 1)))).toBe('JSON_TOO_MANY_VALUES')
    expect(codeOf(() => parseJson('[[],[]]', { maxValues: 2 }))).toBe('JSON_TOO_MANY_VALUES')
  })
})

describe('checkJson', () => {
  it.each([
    ['{}', 'object'],
    [' [1]', 'array'],
    ['"a"', 'string'],
    ['-0.5e3', 'number'],
    ['true', 'boolean'],
    ['false', 'boolean'],
    ['null ', 'null'],
  ])('says what %s is', (text, kind) => {
    expect(checkJson(text)).toBe(kind)
  })

  it('does not limit the number of values', () => {
    expect(checkJson(`[${'0,'.repeat(500_000)}0]`)).toBe('array')
  })
})

describe('the parts of a JSON text', () => {
  const partsOf = (text: string) => {
    const parts: [string, string][] = []
    checkJson(text, { onPart: ({ key, start, end }) => parts.push([key, text.slice(start, end)]) })
    return parts
  }

  it('are found as they are written, repeated names included', () => {
    expect(partsOf(' { "a" : 1 , "\\u0061":[ "]" ], "b":{"c":"}"}, "d" : "\\"" } ')).toEqual([
      ['a', '1'],
      ['a', '[ "]" ]'],
      ['b', '{"c":"}"}'],
      ['d', '"\\""'],
    ])
  })

  it.each(['{}', '[]', ' [ ] ', '1', '"{\\"a\\":1}"'])('are none in %s', (text) => {
    expect(partsOf(text)).toEqual([])
  })

  it('are what JSON.parse finds, however they are laid out', () => {
    const container = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))
    fc.assert(
      fc.property(container, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const parsed = JSON.parse(text) as Record<string, unknown>
        const found = partsOf(text).map(([key, part]) => [key, JSON.parse(part)])
        expect(found).toEqual(Object.entries(parsed).map(([key, inner]) => [Array.isArray(parsed) ? '' : key, inner]))
      }),
    )
  })

  it('end the reading when who asked for them throws', () => {
    const onPart = () => {
      throw new RangeError('enough')
    }
    expect(() => checkJson('[1, no JSON', { onPart })).toThrow('enough')
  })
})

describe('uniqueNames', () => {
  it.each(['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '[{"b":{"a":":","a":0}}]', '{"__proto__":1,"__proto__":2}'])(
    'refuses %s',
    (text) => {
      expect(parseJson(text)).toBeDefined()
      expect(codeOf(() => parseJson(text, { uniqueNames: true }))).toBe('JSON_INVALID')
    },
  )

  it.each(['{"a":{"a":1},"b":[{"a":":"}]}', '{"a:b":"\\":","__proto__":{}}', '[]', '1'])('takes %s', (text) => {
    expect(parseJson(text, { uniqueNames: true })).toEqual(JSON.parse(text))
  })
})

describe('endOfString', () => {
  it.each([
    ['""', 1],
    ['"a"b"', 2],
    [String.raw`"\"" `, 3],
    [String.raw`"\\"x"`, 3],
    [String.raw`"\\\"" `, 5],
    ['"never', 6],
    ['"', 1],
    [String.raw`"\"`, 3],
  ])('of %s is at %i', (text, end) => {
    expect(endOfString(text, 0)).toBe(end)
  })
})
