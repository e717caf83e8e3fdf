import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { clientAddress, clientKey, LOCAL_PROXIES, readProxies, trustedProxies } from './client-address.ts'

function addressOf(peer: string | undefined, forwarded?: string, trusted = ['127.0.0.0/8', '::1', '10.0.0.0/8']) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return clientAddress({ socket: { remoteAddress: peer }, headers } as IncomingMessage, trustedProxies(trusted))
}

describe('clientAddress', () => {
  it.each<[string, string | undefined, string]>([
    ['192.0.2.1', undefined, '192.0.2.1'],
    ['::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['::ffff:c000:201', undefined, '192.0.2.1'],
    ['0:0:0:0:0:FFFF:192.0.2.1', undefined, '192.0.2.1'],
    ['::ffff:7f00:1', '::ffff:c000:201', '192.0.2.1'],
    ['127.0.0.1', '[::ffff:c000:201]:4711', '192.0.2.1'],
    ['::fffe:c000:201', undefined, '::fffe:c000:201'],
    ['2001:db8::1', '203.0.113.9', '2001:db8::1'],
    ['192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['::1', '2001:db8::7', '2001:db8::7'],
    ['127.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['127.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['127.0.0.1', 'fe80::1%\u001b[31m', 'fe80::1'],
  ])('of the peer %s that says %s is %s', (peer, forwarded, address) => {
    expect(addressOf(peer, forwarded)).toBe(address)
  })

  it('is the last one that no trusted proxy has: what stands before is anybody’s word', () => {
    expect(addressOf('127.0.0.1', '198.51.100.1, 203.0.113.9, 10.0.0.1')).toBe('203.0.113.9')
    expect(addressOf('127.0.0.1', '10.0.0.2, 10.0.0.1')).toBe('10.0.0.2')
  })

  it.each(['', ',', 'unknown', '<script>', '1.2.3', '999.1.1.1', '203.0.113.9 evil'])(
    'is the proxy when that says %j',
    (forwarded) => {
      expect(addressOf('127.0.0.1', forwarded)).toBe('127.0.0.1')
    },
  )

  it('stops after some proxies, however many are named', () => {
    expect(addressOf('127.0.0.1', `198.51.100.1,${'10.0.0.1,'.repeat(100)}10.0.0.1`)).toBe('10.0.0.1')
  })

  it('is unknown once the connection has gone', () => {
    expect(addressOf(undefined, '203.0.113.9')).toBe('unknown')
  })

  it('believes no header when no proxy is trusted', () => {
    expect(addressOf('127.0.0.1', '203.0.113.9', [])).toBe('127.0.0.1')
  })
})

describe('trustedProxies', () => {
  it.each(['', 'localhost', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.0/8/8', '10.0.0.0/-1'])(
    'refuses %j',
    (network) => {
      expect(() => trustedProxies([network])).toThrow(RangeError)
    },
  )
})

describe('readProxies', () => {
  it('reads a list, or none, and trusts this machine when nothing is said', () => {
    expect(readProxies('10.0.0.0/8, ::1').check('10.1.2.3', 'ipv4')).toBe(true)
    expect(readProxies('none').check('127.0.0.1', 'ipv4')).toBe(false)
    expect(readProxies(LOCAL_PROXIES).check('127.0.0.1', 'ipv4')).toBe(true)
    expect(readProxies(LOCAL_PROXIES).check('::1', 'ipv6')).toBe(true)
    expect(readProxies(LOCAL_PROXIES).check('10.0.0.1', 'ipv4')).toBe(false)
  })
})

describe('clientKey', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1::', '2001:db8:1:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['1:2:3::4:5:6:7', '1:2:3:0::/64'],
    ['unknown', 'unknown'],
  ])('of %s is %s', (address, key) => {
    expect(clientKey(address)).toBe(key)
  })
})
