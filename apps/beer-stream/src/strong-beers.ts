import type { Beer, BeerClient } from '@taproom/beer'

/** Exclusive. */
const MIN_ABV = 15

/** The beer service had more pages than the cap: the list is incomplete. */
export class PageCapError extends Error {
  override readonly name = 'PageCapError'
  readonly code = 'BEER_PAGE_CAP'
}

export interface StrongBeersDeps {
  readonly client: BeerClient
  readonly maxPages: number
  readonly signal: AbortSignal
}

/**
 * Fetches pages until one is empty, the next only when the caller asks for more; yields the beers above 15 per cent. Throws what the client
 * throws.
 *
 * @throws {PageCapError} when there are more than `maxPages` pages
 */
export async function* strongBeers({ client, maxPages, signal }: StrongBeersDeps): AsyncGenerator<readonly Beer[]> {
  for (let page = 1; page <= maxPages; page += 1) {
    const beers = await client.page(page, signal)
    if (beers.length === 0) return
    const strong = beers.filter((beer) => beer.abv > MIN_ABV)
    if (strong.length > 0) yield strong
  }
  throw new PageCapError(`the beer service has more than ${maxPages} pages`)
}
