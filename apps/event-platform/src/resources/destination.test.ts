import { describe, expect, it } from 'vitest'
import { checkDestinationUri, readDestination } from './destination.ts'
import { readFields } from './field-reader.ts'

describe('checkDestinationUri', () => {
  it.each([
    'http://s.example',
    'https://s.example:8443/a/b?x=%20#f',
    'HTTP://s.example',
    'http://[::1]:80/',
    'http://s/@me',
  ])('takes %j alone', (uri) => {
    expect(checkDestinationUri(uri, { hasRef: false })).toBeUndefined()
  })

  it.each(['/', '/deep/path', 'deep?x=1', '?x=1', '#f', '/a:b', './a:b', '../../x', '/a//b', '/%5c%5cevil', '/@'])(
    'takes %j beside a ref',
    (uri) => {
      expect(checkDestinationUri(uri, { hasRef: true })).toBeUndefined()
    },
  )

  const NOWHERE = [
    '',
    ' ',
    '//',
    '///',
    '//evil.example/x',
    '\\\\evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '\n//evil.example',
    ' //evil.example',
    'http:evil.example',
    'http:/evil.example',
    'http:///evil.example',
    'http://[',
    'http://',
    'http://?',
    'http://:80',
    'http://a b',
    'http://a:99999',
    'http://user@evil.example',
    'http://user:secret@evil.example/x',
    'http://@evil.example',
    'http://evil.example\r\nx: y',
    'http://evil.example/\u0000',
    'http://evil.example/\u2028',
    'http://\u202Eevil.example',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://evil.example',
    'data:text/plain,x',
    'HTTPS:evil',
    `http://s.example/${'x'.repeat(2048)}`,
  ]
  it.each(NOWHERE)('refuses %j alone and beside a ref', (uri) => {
    expect(checkDestinationUri(uri, { hasRef: false })).toEqual(expect.any(String))
    expect(checkDestinationUri(uri, { hasRef: true })).toEqual(expect.any(String))
  })

  it('refuses an absolute URL beside a ref, and a path alone', () => {
    expect(checkDestinationUri('http://s.example/', { hasRef: true })).toMatch(/relative when there is a ref/)
    expect(checkDestinationUri('/x', { hasRef: false })).toMatch(/absolute http or https URL/)
  })
})

describe('readDestination', () => {
  const read = (audience: unknown) => readFields('it', { uri: 'http://s.example', audience }, readDestination)

  it('decisions 3.47: takes any visible ASCII as audience', () => {
    expect(read('https://sink.example/events')).toMatchObject({ audience: 'https://sink.example/events' })
    expect(read(undefined)).toMatchObject({ audience: undefined })
  })

  it.each(['', ' ', 'a b', 'a\nb', 'é', 'x'.repeat(1025), 1, ['a']])(
    'decisions 3.47: refuses the audience %j',
    (audience) => {
      expect(() => read(audience)).toThrow(/audience: must/)
    },
  )
})
