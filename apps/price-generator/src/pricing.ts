import { BeerFormatError, encodePricedBeer, parseBeer } from '@taproom/beer'
import type { HealthCheck } from '@taproom/health'
import type { IncomingMessage, OutgoingMessage } from '@taproom/messaging'
import type { Logger } from '@taproom/service'

/** Turns messages of topic `beer` into messages of topic `priced-beer`, which keep their keys. */
export function createPricing(deps: { readonly nextPrice: () => number; readonly log: Pick<Logger, 'warn'> }) {
  let malformed = 0
  return {
    /** Returns one priced beer, or nothing for a malformed message, which is logged and counted. */
    price({ topic, partition, offset, key, value }: IncomingMessage): readonly OutgoingMessage[] {
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
    /** Counts malformed beers; never DOWN, as bad records are not this service's fault. */
    check: { name: 'Malformed beers', check: () => ({ status: 'UP', data: { malformed } }) } as HealthCheck,
  }
}
