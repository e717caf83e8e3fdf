import { BeerFormatError, encodePricedBeer, parseBeer } from '@taproom/beer'
import type { HealthCheck } from '@taproom/health'
import type { IncomingMessage, OutgoingMessage } from '@taproom/messaging'
import type { Logger } from '@taproom/service'

/** Turns messages of the topic `beer` into messages of the topic `priced-beer`. */
export interface Pricing {
  /** One priced beer for a beer, nothing for what is no beer; that is logged and counted. */
  price(message: IncomingMessage): readonly OutgoingMessage[]
  /** How many beers were malformed so far; never DOWN, a bad record is no fault of this service. */
  readonly check: HealthCheck
}

/** Prices each beer with the next price of the source, under the same key. */
export function createPricing(deps: { readonly nextPrice: () => number; readonly log: Pick<Logger, 'warn'> }): Pricing {
  let malformed = 0
  return {
    price({ topic, partition, offset, key, value }) {
      try {
        const { name } = parseBeer(value ?? '')
        return [{ key: key ?? name, value: encodePricedBeer({ name, price: deps.nextPrice() }) }]
      } catch (error) {
        if (!(error instanceof BeerFormatError)) throw error
        malformed += 1
        deps.log.warn({ topic, partition, offset, reason: error.message, malformed }, 'malformed beer skipped')
        return []
      }
    },
    check: { name: 'Malformed beers', check: () => ({ status: 'UP', data: { malformed } }) },
  }
}
