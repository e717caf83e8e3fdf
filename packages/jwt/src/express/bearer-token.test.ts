import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { readBearerToken, type TokenTransport } from './authenticate.ts'

const transports: Record<TokenTransport['header'], TokenTransport> = {
  Authorization: { header: 'Authorization' },
  Cookie: { header: 'Cookie', cookie: 'Bearer' },
}

function read(header: TokenTransport['header'], value: string) {
  const req = { rawHeaders: [header, value], headers: { [header.toLowerCase()]: value } }
  return readBearerToken(req as unknown as IncomingMessage, transports[header])
}

describe('the token in a cookie', () => {
  it.each([
    ['Bearer=x', 'x'],
    [' Bearer =  x ', 'x'],
    ['Bearer="x"', 'x'],
    ['Bearer=x=', 'x='],
    ['a=Bearer=y; Bearer=x', 'x'],
    ['Bearer=""x""', '"x"'],
    ['Bearer=x"y', 'x"y'],
  ])('of %j is %j', (cookie, token) => {
    expect(read('Cookie', cookie)).toEqual({ kind: 'one', token })
  })

  it.each(['', 'Bearer', 'Bearer=', 'Bearer=""', 'Bearer= ', '=x', 'bearer=x', 'Bearer x=y'])(
    'of %j is none',
    (cookie) => {
      expect(read('Cookie', cookie)).toEqual({ kind: 'none' })
    },
  )
})
