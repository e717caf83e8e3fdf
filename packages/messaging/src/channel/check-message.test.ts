import { describe, expect, it } from 'vitest'
import { checkMessage } from './check-message.ts'

describe('checkMessage', () => {
  it.each([
    [{ value: 'v' }],
    [{ key: undefined, value: null }],
    [{ key: new Uint8Array(2), value: new ArrayBuffer(2), topic: 'beer', timestamp: -1 }],
    [{ key: null, value: Buffer.from('v'), headers: { a: 'b', c: null, d: [Buffer.from('e'), null] } }],
  ])('accepts %j', (message) => {
    expect(() => checkMessage(message, 'beers')).not.toThrow()
  })

  it.each<[unknown, string]>([
    [undefined, 'a message must be an object, received undefined'],
    [{}, 'value must be text, bytes or null, received undefined'],
    [{ value: undefined }, 'value must be text, bytes or null, received undefined'],
    [{ value: { secret: 1 } }, 'value must be text, bytes or null, received an object'],
    [{ value: 'v', key: 7 }, 'key must be text, bytes or null, received 7'],
    [{ value: 'v', headers: [] }, 'headers must be an object, received a list'],
    [
      { value: 'v', headers: { a: undefined } },
      'header "a" must be text, bytes or null, or a list of these, received undefined',
    ],
    [
      { value: 'v', headers: { a: ['b', true] } },
      'header "a" must be text, bytes or null, or a list of these, received a boolean',
    ],
    [{ value: 'v', topic: 'a/b' }, 'topic must be 1 to 249 of a-z A-Z 0-9 . _ -, received "a/b"'],
    [{ value: 'v', topic: 7n }, 'topic must be text, received a bigint'],
    [{ value: 'v', timestamp: Number.NaN }, 'timestamp must be whole milliseconds since 1970, received NaN'],
    [{ value: 'v', timestamp: new Date() }, 'timestamp must be whole milliseconds since 1970, received an object'],
  ])('refuses %o: %s', (message, reason) => {
    expect(() => checkMessage(message, 'beers')).toThrow(
      expect.objectContaining({ code: 'CHANNEL_INVALID_MESSAGE', message: `${reason}: channel beers` }),
    )
  })
})
