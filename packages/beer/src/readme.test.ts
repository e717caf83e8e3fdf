import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createPriceSource, encodePricedBeer, parseBeer } from './index.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

describe('README', () => {
  it('lists exactly the error codes of the package', () => {
    const inCode = [...read('./errors.ts').matchAll(/readonly code = '(\w+)'/g)].map((match) => match[1])
    const inReadme = [...read('../README.md').matchAll(/^\| `(BEER_\w+)`/gm)].map((match) => match[1])
    expect(inReadme.toSorted()).toEqual(inCode.toSorted())
  })

  it('shows an example that does what it says', () => {
    const nextPrice = createPriceSource({ min: 12.5, max: 12.5 })
    const beer = parseBeer('{"name":"Dog D","tagline":"Anniversary Imperial Stout.","abv":16.1}')
    expect(encodePricedBeer({ name: beer.name, price: nextPrice() })).toBe('{"name":"Dog D","price":12.50}')
  })
})
