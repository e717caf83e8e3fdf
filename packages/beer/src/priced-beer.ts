import { BeerFormatError } from './errors.ts'
import { kindOf, parseJsonObject, requireName } from './json.ts'
import { formatCents, MAX_AMOUNT, toCents } from './money.ts'

/** As the topic `priced-beer` and the event stream carry it (contract 2.5). */
export interface PricedBeer {
  readonly name: string
  readonly price: number
}

/**
 * Reads a priced beer from JSON. Unknown fields are ignored; the price is not rounded.
 *
 * @throws {BeerFormatError} when it is not a priced beer, or the price exceeds about 90 trillion, where a double has no exact cents; never
 * quotes the input
 */
export function parsePricedBeer(json: string | Uint8Array): PricedBeer {
  const fields = parseJsonObject(json, 'priced beer')
  const name = requireName(fields, 'priced beer')
  const price = fields['price']
  if (typeof price !== 'number' || !(Math.abs(price) <= MAX_AMOUNT)) {
    throw new BeerFormatError(`priced beer: price must be a number within ±${MAX_AMOUNT}, received ${kindOf(price)}`)
  }
  return { name, price }
}

/**
 * JSON, `name` first; the price is a number with exactly two fraction digits, rounded half up: `{"name":"Dog D","price":12.50}`.
 *
 * @throws {RangeError} when the price is not finite or exceeds about 90 trillion
 */
export function encodePricedBeer(beer: PricedBeer): string {
  if (!(Math.abs(beer.price) <= MAX_AMOUNT))
    throw new RangeError(`price must be within ±${MAX_AMOUNT}, received ${beer.price}`)
  return `{"name":${JSON.stringify(beer.name)},"price":${formatCents(toCents(beer.price))}}`
}
