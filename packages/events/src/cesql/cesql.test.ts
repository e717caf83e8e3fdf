import { describe, expect, it } from 'vitest'
import { createFilter, FilterError, parseEvent } from '../index.ts'
import { parseCesql } from './cesql-parser.ts'

const event = parseEvent(
  {
    'ce-specversion': '1.0',
    'ce-id': '1',
    'ce-source': '/beers/1',
    'ce-type': 'com.example.beer',
    'ce-hop': '5',
    'ce-flag': 'TRUE',
    'ce-emoji': '%F0%9F%8D%BAab',
  },
  Buffer.alloc(0),
)

describe('CESQL 1.0', () => {
  it.each<[string, string | number | boolean]>([
    ["'a\"b\\'c'", 'a"b\'c'],
    ['"a\'b\\"c"', 'a\'b"c'],
    ['-2147483648', -2147483648],
    ['+7', 7],
    ['tRuE', true],
    ['hop', '5'],
    ['hop + 1', 6],
    ['-hop', -5],
    ['1 + 2 * 3 - 4', 3],
    ['(1 + 2) * 3', 9],
    ['10 - 3 - 2', 5],
    ['-7 / 2', -3],
    ['-7 % 2', -1],
    ["hop = 5 AND hop = '5'", true],
    ["5 = '05'", false],
    ['hop < 10 and hop >= 5', true],
    ['hop <> 5', false],
    ['TRUE XOR TRUE', false],
    ['FALSE AND missing', false],
    ['TRUE OR missing', true],
    ['FALSE AND TRUE OR TRUE', false],
    ['NOT flag', false],
    ['NOT TRUE = FALSE', true],
    ["TRUE = 'true' AND FALSE = 'false'", true],
    ["type LIKE 'com.%.b__r'", true],
    ["type LIKE 'COM%'", false],
    ["type NOT LIKE '%tea'", true],
    ["'100%' LIKE '100\\%' AND '1000' NOT LIKE '100\\%'", true],
    ["'a.c' LIKE 'a.c' AND 'abc' NOT LIKE 'a.c'", true],
    ["'' LIKE '%%' AND '' NOT LIKE '_'", true],
    ["emoji LIKE '_ab'", true],
    ['hop IN (1, 5)', true],
    ["5 IN ('1', '5')", true],
    ["id NOT IN ('2', '3')", true],
    ['EXISTS id AND NOT EXISTS missing', true],
    ['LENGTH(emoji)', 3],
    ["concat('a', 1, TRUE)", 'a1true'],
    ["CONCAT_WS(',', 'a', 'b')", 'a,b'],
    ["UPPER('a') = 'A' AND LOWER('A') = 'a' AND TRIM(' a\u2003') = 'a'", true],
    ["LEFT('abc', 2)", 'ab'],
    ["RIGHT('abc', 2)", 'bc'],
    ["RIGHT('abc', 0)", ''],
    ["SUBSTRING('abcdef', 2)", 'bcdef'],
    ["SUBSTRING('abcdef', -3, 2)", 'de'],
    ["SUBSTRING('abcdef', 0)", ''],
    ['ABS(-3)', 3],
    ["INT('-1') + INT(TRUE)", 0],
    ["IS_INT('x') OR IS_BOOL('x')", false],
    ['STRING(10)', '10'],
  ])('%s is %j', (expression, value) => {
    expect(parseCesql(expression)(event)).toBe(value)
  })

  it.each([
    ['missing', 'missingAttribute'],
    ["missing = ''", 'missingAttribute'],
    ['1 / 0', 'math'],
    ['1 % 0', 'math'],
    ['2147483647 + 1', 'math'],
    ['ABS(-2147483648)', 'math'],
    ['type + 1', 'cast'],
    ['NOT type', 'cast'],
    ["INT('2147483648')", 'cast'],
    ["LEFT('a', -1)", 'functionEvaluation'],
    ["SUBSTRING('a', 2)", 'functionEvaluation'],
  ])('%s is a %s error of evaluation: no match', (expression, kind) => {
    expect(() => parseCesql(expression)(event)).toThrow(expect.objectContaining({ kind }))
    expect(createFilter({ filters: [{ cesql: expression }] })(event)).toBe(false)
  })

  it.each([
    '',
    'ABC(',
    '(1',
    '1)',
    '1 +',
    'TRUE TRUE',
    'hop IN ()',
    'type LIKE type',
    'EXISTS 1 1',
    "'open",
    '2147483648',
    'a_b',
    'a.b',
    'AND',
    'NOSUCH(1)',
    'LENGTH()',
    "LEFT('a')",
    '('.repeat(5000),
    'NOT '.repeat(5000),
    'TRUE AND '.repeat(5000),
  ])('%j is refused when the filter is made', (expression) => {
    expect(() => createFilter({ filters: [{ cesql: expression }] })).toThrow(FilterError)
  })

  it('names the place and the reason', () => {
    expect(() => createFilter({ filters: [{ not: { cesql: 'a = ' } }] })).toThrow(
      'filters[0].not.cesql must be a CESQL expression: it ends too early',
    )
    expect(() => createFilter({ filters: [{ cesql: 1 as unknown as string }] })).toThrow(FilterError)
  })

  it.each([
    ["type = 'com.example.beer' AND hop > 4", true],
    ['hop > 5', false],
    ['hop', false],
    ['1', false],
  ])('as a filter, %s matches: %s', (cesql, expected) => {
    expect(createFilter({ filters: [{ cesql }] })(event)).toBe(expected)
  })

  it('a hostile LIKE pattern ends soon', () => {
    const matches = parseCesql(`'${'a'.repeat(5000)}' LIKE '${'%a'.repeat(250)}b'`)
    expect(matches(event)).toBe(false)
  })
})
