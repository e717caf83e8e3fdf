import { describe, expect, it } from 'vitest'
import { BeerFormatError, encodeBeer, parseBeer } from './index.ts'

describe('parseBeer', () => {
  it('takes name, tagline and abv and ignores every other field', () => {
    const json =
      '{"id":7,"name":"Nøgne Ø","tagline":"Dark & \\"strong\\".","abv":17.2,"ibu":null,"volume":{"value":20}}'
    expect(parseBeer(json)).toEqual({ name: 'Nøgne Ø', tagline: 'Dark & "strong".', abv: 17.2 })
    expect(parseBeer(Buffer.from(json))).toEqual(parseBeer(json))
  })

  it('decisions 1.48: an abv that is null or missing reads as 0, a tagline as empty', () => {
    expect(parseBeer('{"name":"Pale"}')).toEqual({ name: 'Pale', tagline: '', abv: 0 })
    expect(parseBeer('{"name":"Pale","tagline":null,"abv":null}')).toEqual({ name: 'Pale', tagline: '', abv: 0 })
  })

  it.each([
    ['empty text', ''],
    ['text that is not JSON', 'secret payload'],
    ['an array', '[]'],
    ['null', 'null'],
    ['no name', '{"abv":5}'],
    ['a blank name', '{"name":" "}'],
    ['a name that is a number', '{"name":5}'],
    ['a tagline that is an object', '{"name":"Pale","tagline":{}}'],
    ['an abv that is text', '{"name":"Pale","abv":"5"}'],
    ['an abv beyond every double', '{"name":"Pale","abv":1e999}'],
  ])('refuses %s with a BeerFormatError', (_case, json) => {
    expect(() => parseBeer(json)).toThrow(BeerFormatError)
  })

  it('refuses bytes that are not UTF-8', () => {
    expect(() => parseBeer(Buffer.from([0x7b, 0xff, 0x7d]))).toThrow(expect.objectContaining({ code: 'BEER_FORMAT' }))
  })

  it('never quotes the payload in the error', () => {
    expect.assertions(2)
    try {
      parseBeer('{"name": secret}')
    } catch (error) {
      expect((error as Error).message).not.toContain('secret')
      expect((error as Error).cause).toBeUndefined()
    }
  })
})

describe('encodeBeer', () => {
  it('writes the three fields of the contract in order and nothing else', () => {
    const beer = { id: 1, abv: 6, tagline: 'Stout.', name: 'Dog "D"' }
    expect(encodeBeer(beer)).toBe('{"name":"Dog \\"D\\"","tagline":"Stout.","abv":6}')
    expect(parseBeer(encodeBeer(beer))).toEqual({ name: 'Dog "D"', tagline: 'Stout.', abv: 6 })
  })
})
