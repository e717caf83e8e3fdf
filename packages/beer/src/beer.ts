import { BeerFormatError } from './errors.ts'
import { asObject, kindOf, MAX_TEXT, parseJsonObject, requireName } from './json.ts'

/** As the beer service lists it and the topic `beer` carries it (contract 2.4). */
export interface Beer {
  readonly name: string
  /** `''` when the source had none. */
  readonly tagline: string
  /** Alcohol by volume in per cent; 0 when the source had none. */
  readonly abv: number
}

/**
 * Reads a beer from JSON. Unknown fields are ignored; an absent or null `tagline` becomes `''`, an absent or null `abv` 0 (as a Java double
 * would). Name and tagline have at most 65,536 characters.
 *
 * @throws {BeerFormatError} when it is not a beer; never quotes the input
 */
export function parseBeer(json: string | Uint8Array): Beer {
  return toBeer(parseJsonObject(json, 'beer'))
}

/** JSON for the topic `beer`: `name`, `tagline`, `abv`, in this order and nothing else. */
export function encodeBeer(beer: Beer): string {
  return JSON.stringify({ name: beer.name, tagline: beer.tagline, abv: beer.abv })
}

/** Like {@link parseBeer}, for a parsed value. */
export function toBeer(value: unknown): Beer {
  const fields = asObject(value, 'beer')
  const name = requireName(fields, 'beer')
  const tagline = fields['tagline'] ?? ''
  if (typeof tagline !== 'string')
    throw new BeerFormatError(`beer: tagline must be a string, received ${kindOf(tagline)}`)
  if (tagline.length > MAX_TEXT)
    throw new BeerFormatError(`beer: tagline must not be longer than ${MAX_TEXT} characters`)
  const abv = fields['abv'] ?? 0
  if (typeof abv !== 'number' || !Number.isFinite(abv)) {
    throw new BeerFormatError(`beer: abv must be a finite number, received ${kindOf(abv)}`)
  }
  return { name, tagline, abv }
}
