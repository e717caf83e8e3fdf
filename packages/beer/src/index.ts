export { type Beer, encodeBeer, parseBeer } from './beer.ts'
export { type BeerClient, createBeerClient } from './beer-client.ts'
export {
  BeerError,
  BeerFormatError,
  BeerServiceAnswerError,
  BeerServiceError,
  BeerServiceOverloadedError,
  BeerServiceTimeoutError,
  BeerServiceUnreachableError,
} from './errors.ts'
export { beerSchema, pricedBeerSchema } from './json-schemas.ts'
export { createPriceSource } from './price-source.ts'
export { encodePricedBeer, type PricedBeer, parsePricedBeer } from './priced-beer.ts'
