import { LIMITS } from '@taproom/core/limits'
import { describe, expect, it } from 'vitest'
import { RedirectError, redirectTarget } from './index.ts'

const target = (location: string | null, from = 'http://a.test/films/1', more: object = {}) =>
  redirectTarget({ status: 302, location, from: new URL(from), followed: 0, ...more })?.href

describe('redirectTarget', () => {
  it.each([
    ['/films/1/', 'http://a.test/films/1', 'http://a.test/films/1/'],
    ['http://b.test/', 'http://a.test/', 'http://b.test/'],
    ['https://a.test/', 'http://a.test/', 'https://a.test/'],
    ['//b.test/x', 'https://a.test/', 'https://b.test/x'],
  ])('of %s at %s is %s', (location, from, to) => {
    expect(target(location, from)).toBe(to)
  })

  it.each([
    [200, '/x'],
    [304, '/x'],
    [300, '/x'],
    [302, null],
  ])('of the status %i with the location %j is none', (status, location) => {
    expect(target(location, undefined, { status })).toBeUndefined()
  })

  it.each([
    ['http://a.test/', 'https://a.test/'],
    ['file:///etc/passwd', 'http://a.test/'],
    ['data:application/json,[]', 'http://a.test/'],
    ['ftp://a.test/', 'https://a.test/'],
    ['javascript:1', 'http://a.test/'],
    ['http://user:secret@a.test/', 'http://a.test/'],
    ['http://[', 'http://a.test/'],
    ['http://a.test:99999/', 'http://a.test/'],
  ])('refuses %s at %s without quoting a secret', (location, from) => {
    expect(() => target(location, from)).toThrow(RedirectError)
    expect(() => target(location, from)).not.toThrow(/secret/)
  })

  it('refuses one too many', () => {
    expect(target('/x', undefined, { followed: LIMITS.redirects - 1 })).toBe('http://a.test/x')
    expect(() => target('/x', undefined, { followed: LIMITS.redirects })).toThrow('more than 5 redirects')
  })
})
