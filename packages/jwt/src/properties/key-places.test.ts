import { describe, expect, it } from 'vitest'
import { keyProblems } from './key-places.ts'
import type { PropertyReader } from './property-reader.ts'

/** The problems that a reader of properties gets, by the names of properties. */
function problems(...[place, name]: [Parameters<typeof keyProblems>[1], string?]) {
  const found: (readonly [name: string, message: string])[] = []
  const read: Pick<PropertyReader, 'problem'> = { problem: (property, message) => void found.push([property, message]) }
  keyProblems(read as PropertyReader, place, name)
  return found
}

describe('a problem with the place of keys', () => {
  it.each([
    [{}, 'mp.jwt.verify.shop.publickey.location', 'is not set: expected the path or URL of a public key'],
    [
      { publicKey: 'a', publicKeyLocation: 'b' },
      'mp.jwt.verify.shop.publickey',
      'set either this or MP_JWT_VERIFY_SHOP_PUBLICKEY_LOCATION, not both',
    ],
    [{ publicKey: 'a', discovery: true }, 'mp.jwt.verify.shop.discovery', 'set either this or a key, not both'],
  ])('of %j names the property', (place, property, message) => {
    expect(problems(place, 'shop')).toEqual([[property, message]])
  })

  it('is none when there is one place', () => {
    expect(problems({ publicKeyLocation: 'b', discovery: false })).toEqual([])
  })
})
