import { describe, expect, it } from 'vitest'
import { httpAddress } from './http-address.ts'

describe('httpAddress', () => {
  it.each([
    ['::1', 'http://[::1]:8080'],
    ['::', 'http://localhost:8080'],
    ['0.0.0.0', 'http://localhost:8080'],
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['taproom.example', 'http://taproom.example:8080'],
  ])('is a URL that can be called for %s', (host, url) => {
    expect(httpAddress(host, 8080)).toBe(url)
    expect(URL.canParse(url)).toBe(true)
  })

  it('is one of https where that is spoken', () => {
    expect(httpAddress('::', 8443, 'https')).toBe('https://localhost:8443')
    expect(httpAddress('::1', 8443, 'https')).toBe('https://[::1]:8443')
  })
})
