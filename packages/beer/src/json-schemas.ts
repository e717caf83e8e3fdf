import type { Beer } from './beer.ts'
import type { PricedBeer } from './priced-beer.ts'

type Schema = Readonly<Record<string, unknown>>

const beer: Readonly<Record<keyof Beer, Schema>> = {
  name: { type: 'string' },
  tagline: { type: 'string' },
  abv: { type: 'number', format: 'double', description: 'Alcohol by volume in per cent.' },
}

const pricedBeer: Readonly<Record<keyof PricedBeer, Schema>> = {
  name: { type: 'string' },
  price: { type: 'number', description: 'Written with exactly two fraction digits.' },
}

/** JSON Schema (draft 2020-12) of what {@link encodeBeer} writes. */
export const beerSchema: Schema = {
  type: 'object',
  description: 'A beer.',
  required: Object.keys(beer),
  additionalProperties: false,
  properties: beer,
}

/** JSON Schema (draft 2020-12) of what {@link encodePricedBeer} writes. */
export const pricedBeerSchema: Schema = {
  type: 'object',
  description: 'A beer with its price.',
  required: Object.keys(pricedBeer),
  additionalProperties: false,
  properties: pricedBeer,
}
