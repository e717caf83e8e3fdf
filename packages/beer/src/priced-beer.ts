import { BeerFormatError } from './errors.ts'
import { kindOf, parseJsonObject, requireName } from './json.ts'
import { formatCents, maxAmount, toCents } from './money.ts'

/** A beer with its price, as the topic `priced-beer` and the event stream carry it (contract 2.5). */
export interface PricedBeer {
  readonly name: string
  readonly price: number
}

/**
 * Reads a priced beer from its JSON text; unknown fields are ignored, the price is kept as it is written. Throws
 * {@link BeerFormatError}, which never quotes the input, also for a price beyond about 90 trillion, where a double has no
 * exact cents.
 */
export function parsePricedBeer(json: string | Uint8Array): PricedBeer {
  const fields = parseJsonObject(json, 'priced beer')
  const name = requireName(fields, 'priced beer')
  const price = fields['price']
  if (typeof price !== 'number' || !(Math.abs(price) <= maxAmount)) {
    throw new BeerFormatError(`priced beer: price must be a number within ±${maxAmount}, received ${kindOf(price)}`)
  }
  return { name, price }
}

/**
 * Writes a priced beer as JSON text, `name` first; the price is a JSON number with exactly two fraction digits, rounded
 * half up: `{"name":"Dog D","price":12.50}`. Throws RangeError for a price that is not finite or beyond about 90 trillion.
 */
export function encodePricedBeer(beer: PricedBeer): string {
  if (!(Math.abs(beer.price) <= maxAmount))
    throw new RangeError(`price must be within ±${maxAmount}, received ${beer.price}`)
  return `{"name":${JSON.stringify(beer.name)},"price":${formatCents(toCents(beer.price))}}`
}
