import { describe, expect, it } from 'vitest'
import { ErrorCode } from '../../protocol/error-code.ts'
import { TopicRegex } from './topic-regex.ts'

const LONG = 'a'.repeat(249)

describe('decisions 3.62: regular expressions for names of topics', () => {
  it.each([
    ['', '', 'a'],
    ['orders', 'orders', 'orders2'],
    ['or.*', 'orders', 'for'],
    ['a|b|', 'b', 'c'],
    ['(a|bc)+d', 'abcad', 'abd'],
    ['(?:a)(?P<name>b)(?<other>c)', 'abc', 'ab'],
    ['a{2,3}', 'aaa', 'aaaa'],
    ['a{2}', 'aa', 'aaa'],
    ['a{2,}?', 'aaaa', 'a'],
    ['a{0}b', 'b', 'ab'],
    ['a{,2}', 'a{,2}', 'aa'],
    ['[a-c_]+\\.x?', 'abc_.', 'd.'],
    ['[^a-c]', 'd', 'a'],
    ['[]a]', 'a', 'b'],
    ['[a-]', '-', 'b'],
    ['\\d\\w\\S\\-', '1_a-', 'a_a-'],
    ['[\\d.]+', '1.2', '1a'],
    ['^a$', 'a', 'aa'],
    ['a^b', 'never', 'ab'],
    ['(?i)Or[d-f]ers', 'oRDERS', 'orcers'],
    ['(a*)*', 'aaa', 'b'],
    ['(a?){50}', 'aa', 'b'],
  ])('%s takes %j and not %j', (text, taken, refused) => {
    expect(new TopicRegex(text).matches(taken)).toBe(text !== 'a^b')
    expect(new TopicRegex(text).matches(refused)).toBe(false)
  })

  it.each([
    ['(', 'missing closing )'],
    ['(a', 'missing closing )'],
    ['a)', 'unexpected )'],
    ['[a', 'missing closing ]'],
    ['*', 'missing argument to repetition operator: *'],
    ['a**', 'invalid nested repetition operator'],
    ['a{2,1}', 'invalid repeat count'],
    ['a{1001}', 'invalid repeat count'],
    ['(?=a)', 'invalid or unsupported Perl syntax'],
    ['(a)\\1', 'invalid escape sequence: \\1'],
    ['[z-a]', 'invalid character class range'],
    ['[[:alpha:]]', 'classes like [:alpha:] are not supported'],
    ['a\\', 'it ends too early'],
    ['((a{100}){100}){100}', 'expression is too large'],
    ['((((){1000}){1000}){1000}){1000}', 'expression is too large'],
    ['a'.repeat(1001), 'expression is too large'],
    ['('.repeat(500), 'expression nests too deeply'],
  ])('%s is refused: %s', (text, reason) => {
    expect(() => new TopicRegex(text)).toThrow(
      expect.objectContaining({
        errorCode: ErrorCode.INVALID_REGULAR_EXPRESSION,
        message: expect.stringContaining(`is not a valid regular expression: ${reason}.`),
      }),
    )
  })

  it.each(['(a+)+b', '(a|a)*b', '(a|aa)+b', '(.*)*b', '(a*)*b', '((a?){20}){10}b'])(
    '%s, which others try in exponentially many ways, is decided',
    (text) => {
      expect(new TopicRegex(text).matches(LONG)).toBe(false)
      expect(new TopicRegex(text).matches(`${LONG.slice(1)}b`)).toBe(text !== '((a?){20}){10}b')
    },
  )
})
