import type { Beer, BeerClient } from '@taproom/beer'

/** Beers stronger than this are listed; those exactly as strong are not. */
const minAbv = 15

/** The beer service had still more pages at the cap, so that the list is incomplete. */
export class PageCapError extends Error {
  override readonly name = 'PageCapError'
  readonly code = 'BEER_PAGE_CAP'

  constructor(maxPages: number) {
    super(`the beer service has more than ${maxPages} pages`)
  }
}

/** What {@link strongBeers} needs. */
export interface StrongBeersOptions {
  readonly client: BeerClient
  readonly maxPages: number
  readonly signal: AbortSignal
}

/**
 * The beers above 15 per cent, one page of the beer service after the other until one is empty; the next page is fetched only when
 * the caller asks for more. Pages without such a beer yield nothing. Throws what the client throws, and
 * {@link PageCapError}.
 */
export async function* strongBeers({ client, maxPages, signal }: StrongBeersOptions): AsyncGenerator<readonly Beer[]> {
  for (let page = 1; page <= maxPages; page += 1) {
    const beers = await client.page(page, signal)
    if (beers.length === 0) return
    const strong = beers.filter((beer) => beer.abv > minAbv)
    if (strong.length > 0) yield strong
  }
  throw new PageCapError(maxPages)
}
