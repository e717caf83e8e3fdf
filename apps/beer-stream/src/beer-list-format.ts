import { type Beer, encodeBeer } from '@taproom/beer'
import type { Request } from 'express'

/** How a list of beers is written piece by piece. */
export interface BeerListFormat {
  readonly contentType: string
  /** The beers of one page; `isFirst` when nothing has been written before them. */
  page(beers: readonly Beer[], isFirst: boolean): string
  /** What ends the list; `isEmpty` when nothing has been written before. */
  end(isEmpty: boolean): string
}

const json: BeerListFormat = {
  contentType: 'application/json; charset=utf-8',
  page: (beers, isFirst) => `${isFirst ? '[' : ','}${beers.map(encodeBeer).join(',')}`,
  end: (isEmpty) => (isEmpty ? '[]' : ']'),
}

const ndjson: BeerListFormat = {
  contentType: 'application/x-ndjson; charset=utf-8',
  page: (beers) => beers.map((beer) => `${encodeBeer(beer)}\n`).join(''),
  end: () => '',
}

/** NDJSON for a client that prefers it, a JSON array for all others. */
export function beerListFormat(req: Pick<Request, 'accepts'>): BeerListFormat {
  return req.accepts(['application/json', 'application/x-ndjson']) === 'application/x-ndjson' ? ndjson : json
}
