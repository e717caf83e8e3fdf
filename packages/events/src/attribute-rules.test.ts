import { describe, expect, it } from 'vitest'
import { CORE_RULES, checkString } from './attribute-rules.ts'

const ruleOf = (attribute: string) => CORE_RULES.get(attribute)

function table(
  name: string,
  rule: ReturnType<typeof ruleOf>,
  valid: readonly string[],
  invalid: readonly string[],
): void {
  describe(name, () => {
    it.each(valid)('takes %j', (value) => {
      expect(rule?.(value)).toBeUndefined()
    })
    it.each(invalid)('refuses %j', (value) => {
      expect(rule?.(value)).toMatch(/^must /)
    })
  })
}

table(
  'URI-reference',
  ruleOf('source'),
  [
    '/cloudevents/spec/pull/123',
    'https://github.com/cloudevents',
    'mailto:cncf-wg-serverless@lists.cncf.io',
    'urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66',
    'cloudevents/spec/pull/123',
    '1-555-123-4567',
    '//[2001:db8::7]:80/c=GB?objectClass?one#x',
    'a/b:c',
    './a:b',
    '?q',
    '#f',
    'file:///etc',
    'a%20b',
  ],
  ['', 'a b', 'a:b c', '1a:b', ':a', 'http://x/%zz', '/a[b]', 'x?[', 'ä', 'a\\b', '<a>', '/a#b#c', 'http://[::1', '"'],
)
table(
  'URI',
  ruleOf('dataschema'),
  ['https://example.com/a?b', 'urn:x', 'https://example.com/schema#/definitions/a'],
  ['', '/relative', 'example.com', 'a b:c', '://x'],
)
table(
  'Timestamp',
  ruleOf('time'),
  [
    '2018-04-05T17:31:00Z',
    '2018-04-05t17:31:00.123456789z',
    '2018-04-05T17:31:00-12:30',
    '2016-12-31T23:59:60Z',
    '2000-02-29T00:00:00Z',
    '0000-01-01T00:00:00Z',
  ],
  [
    '',
    '2018-04-05',
    '2018-04-05T17:31Z',
    '2018-04-05T17:31:00',
    '2018-04-05 17:31:00Z',
    '2018-13-05T17:31:00Z',
    '2018-00-05T17:31:00Z',
    '2018-04-31T17:31:00Z',
    '2018-04-00T17:31:00Z',
    '1900-02-29T00:00:00Z',
    '2018-04-05T24:00:00Z',
    '2018-04-05T17:60:00Z',
    '2018-04-05T17:31:61Z',
    '2018-04-05T17:31:00.Z',
    '2018-04-05T17:31:00+24:00',
    '2018-04-05T17:31:00+00:60',
    '2018-04-05T17:31:00+0100',
    '+2018-04-05T17:31:00Z',
  ],
)
table(
  'media type',
  ruleOf('datacontenttype'),
  [
    'application/json',
    'text/plain; charset=utf-8',
    'a/b;c="d;\\"e"',
    'a/b;c=""',
    'application/vnd.x+json;v=1;w=2',
    '*/*',
  ],
  [
    '',
    'text',
    'text/',
    '/plain',
    'text/plain;',
    'text/plain; charset',
    'text/plain; a="b',
    'te xt/plain',
    'text/plain; a="ü"',
    'tëxt/plain',
    'text/plain; a="\\\u20ac"',
    'a/b;\tc=d',
  ],
)
describe('String', () => {
  it.each(['', 'ascii ~', 'größe', '😀', '\u00a0'])('takes %j', (value) => {
    expect(() => checkString('x', value)).not.toThrow()
  })
  it.each(['\u0000', 'a\nb', '\u007f', '\u0085', '\ufdd0', '\uffff', '\u{1fffe}', '\ud800', 'a\udc00'])(
    'refuses %j',
    (value) => {
      expect(() => checkString('x', value)).toThrow(
        expect.objectContaining({ code: 'EVENT_INVALID_ATTRIBUTE', attribute: 'x' }),
      )
    },
  )
})
