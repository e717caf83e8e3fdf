import { describe, expect, it } from 'vitest'
import { BeerFormatError, encodePricedBeer, parsePricedBeer } from './index.ts'

describe('encodePricedBeer', () => {
  it.each([
    [12.5, '12.50'],
    [1525, '1525.00'],
    [0, '0.00'],
    [-0, '0.00'],
    [0.1 + 0.2, '0.30'],
    [0.05, '0.05'],
    [1e-7, '0.00'],
    [999_999_999_999.99, '999999999999.99'],
    [-3.456, '-3.46'],
    [-0.001, '0.00'],
  ])('decisions 1.45: a price of %d is the JSON number %s', (price, text) => {
    const json = encodePricedBeer({ name: 'Pale', price })
    expect(json).toBe(`{"name":"Pale","price":${text}}`)
    expect(JSON.parse(json)).toEqual({ name: 'Pale', price: Number(text) })
  })

  it.each([
    [1.005, '1.01'],
    [2.675, '2.68'],
    [8.345, '8.35'],
    [1.004999, '1.00'],
    [0.995, '1.00'],
  ])('decisions 2.11: %d rounds half up to %s', (price, text) => {
    expect(encodePricedBeer({ name: 'Pale', price })).toContain(`"price":${text}}`)
  })

  it('escapes the name as JSON', () => {
    expect(encodePricedBeer({ name: 'a"b\nc', price: 1 })).toBe('{"name":"a\\"b\\nc","price":1.00}')
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e15])('refuses the price %d', (price) => {
    expect(() => encodePricedBeer({ name: 'Pale', price })).toThrow(RangeError)
  })
})

describe('parsePricedBeer', () => {
  it('reads name and price and ignores other fields', () => {
    expect(parsePricedBeer('{"price":12.50,"name":"Pale","currency":"EUR"}')).toEqual({ name: 'Pale', price: 12.5 })
  })

  it.each([
    ['text that is not JSON', 'beer'],
    ['an array', '[1]'],
    ['no name', '{"price":1.00}'],
    ['no price', '{"name":"Pale"}'],
    ['a price that is null', '{"name":"Pale","price":null}'],
    ['a price that is text', '{"name":"Pale","price":"1.00"}'],
    ['a price without exact cents', '{"name":"Pale","price":1e17}'],
    ['arrays inside each other', '['.repeat(100_000)],
    ['a price inside of arrays', `{"name":"Pale","price":${'['.repeat(6000)}${']'.repeat(6000)}}`],
    ['a name that is too long', JSON.stringify({ name: 'x'.repeat(65_537), price: 1 })],
    ['a name of a mebibyte', JSON.stringify({ name: 'x'.repeat(1024 * 1024), price: 1 })],
    ['a price that is NaN', '{"name":"Pale","price":NaN}'],
    ['a price that is Infinity', '{"name":"Pale","price":-Infinity}'],
    ['a price beyond every double', '{"name":"Pale","price":1e999}'],
  ])('refuses %s with a BeerFormatError', (_case, json) => {
    expect(() => parsePricedBeer(json)).toThrow(BeerFormatError)
  })
})
