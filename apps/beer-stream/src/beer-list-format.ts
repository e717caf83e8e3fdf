import { type Beer, encodeBeer } from '@taproom/beer'
import type { Request } from 'express'

/** Writes a list of beers piece by piece. */
export interface BeerListFormat {
  readonly contentType: string
  /** `isFirst` when nothing has been written before. */
  page(beers: readonly Beer[], isFirst: boolean): string
  /** Ends the list; `isEmpty` when nothing has been written. */
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

/** NDJSON for clients that prefer it, otherwise a JSON array. */
export function beerListFormat(req: Pick<Request, 'accepts'>): BeerListFormat {
  return req.accepts(['application/json', 'application/x-ndjson']) === 'application/x-ndjson' ? ndjson : json
}
