import type { QuotaKey } from './quota-entity.ts'
import type { QuotaStore } from './quota-store.ts'
import { Rate } from './rate.ts'

/** Clients whose rates are known at a time; those that were heard of longest ago begin anew. */
const MAX_RATES = 10_000
/** Time of processors is a matter of the last second, as in Apache Kafka. */
const MAX_BUSY_MS = 1000
/** What the protocol can say, and a timer can wait. */
const MAX_THROTTLE_MS = 2_147_483_647

/** What a request took. */
export interface Usage {
  readonly user: string
  readonly clientId: string
  readonly producedBytes: number
  readonly fetchedBytes: number
  /** Milliseconds of the processor. */
  readonly busyMs: number
}

/** Says how long clients have to wait that take more of one broker than their quotas allow (KIP-13, KIP-124). */
export class ClientThrottle {
  readonly #quotas: QuotaStore
  readonly #now: () => number
  readonly #rates = new Map<string, Rate>()

  constructor(quotas: QuotaStore, now: () => number) {
    this.#quotas = quotas
    this.#now = now
  }

  /** For how many milliseconds the client has to be silent; 0 where it is within its quotas. */
  note({ user, clientId, producedBytes, fetchedBytes, busyMs }: Usage): number {
    const over = (key: QuotaKey, amount: number): number => (amount > 0 ? this.#over(key, user, clientId, amount) : 0)
    return Math.min(
      MAX_THROTTLE_MS,
      Math.max(
        over('producer_byte_rate', producedBytes),
        over('consumer_byte_rate', fetchedBytes),
        // In a second, ten milliseconds are one percent.
        Math.min(over('request_percentage', busyMs / 10), MAX_BUSY_MS),
      ),
    )
  }

  #over(key: QuotaKey, user: string, clientId: string, amount: number): number {
    const quota = this.#quotas.find(key, user, clientId)
    if (!quota) return 0
    const id = `${key} ${quota.sharedBy}`
    const rate = this.#rates.get(id) ?? new Rate()
    this.#rates.delete(id)
    this.#rates.set(id, rate)
    const [oldest] = this.#rates.keys()
    if (this.#rates.size > MAX_RATES && oldest !== undefined) this.#rates.delete(oldest)
    const now = this.#now()
    rate.record(amount, now)
    return rate.excessMs(quota.limit, now)
  }
}
