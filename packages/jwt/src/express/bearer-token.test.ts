import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { bearerTokensOf } from './authenticate.ts'

function read(cookie: string) {
  return bearerTokensOf({ rawHeaders: ['Cookie', cookie], headers: { cookie } } as unknown as IncomingMessage, 'Bearer')
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
    expect(read(cookie)).toEqual([token])
  })

  it.each(['', 'Bearer', 'Bearer=', 'Bearer=""', 'Bearer= ', '=x', 'bearer=x', 'Bearer x=y'])(
    'of %j is none',
    (cookie) => {
      expect(read(cookie)).toEqual([])
    },
  )
})
