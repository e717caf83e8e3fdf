/** What one client may ask. */
export interface RateLimit {
  /** Requests per second, on average. */
  readonly perSecond: number
  /** Most requests at once, after a pause. */
  readonly burst: number
}

interface Bucket {
  /** Requests that may come now. */
  left: number
  /** When that was, in milliseconds. */
  at: number
}

/** Clients with buckets of their own: about 100 bytes each. */
const MOST_CLIENTS = 20_000
/** Buckets that all further clients share. */
const SHARED = 1024
/** Buckets looked at when the table is full: those that are full again say nothing and are forgotten. */
const LOOKED_AT = 8

/**
 * A token bucket for each client. The result counts one request; it is 0 if that may be served, else the seconds until the next may come, at
 * least 1. The table is bounded. A client that finds no place in it shares one of 1024 buckets, chosen by a hash that nobody outside can
 * compute, with others: so an attacker with many addresses neither fills the memory nor makes a limit be forgotten.
 */
export function createRateLimit(
  { perSecond, burst }: RateLimit,
  { mostClients = MOST_CLIENTS, now = () => performance.now() } = {},
): (client: string) => number {
  const buckets = new Map<string, Bucket>()
  const shared = Array.from({ length: SHARED }, (): Bucket => ({ left: burst, at: 0 }))
  const seed = Math.floor(Math.random() * 0x1_0000_0000)

  const leftIn = ({ left, at }: Bucket, time: number) => Math.min(burst, left + ((time - at) / 1000) * perSecond)

  /** Forgets some that are full, of those that were not looked at for longest. */
  function makeRoom(time: number): void {
    for (const [client, bucket] of [...buckets.entries().take(LOOKED_AT)]) {
      buckets.delete(client)
      if (leftIn(bucket, time) < burst) buckets.set(client, bucket)
    }
  }

  function bucketOf(client: string, time: number): Bucket {
    const known = buckets.get(client)
    if (known !== undefined) return known
    if (buckets.size >= mostClients) makeRoom(time)
    if (buckets.size >= mostClients) return shared[hash(client, seed) % SHARED] as Bucket
    const created = { left: burst, at: time }
    buckets.set(client, created)
    return created
  }

  return (client) => {
    const time = now()
    const bucket = bucketOf(client, time)
    const left = leftIn(bucket, time)
    bucket.at = time
    bucket.left = left < 1 ? left : left - 1
    return left < 1 ? Math.max(1, Math.ceil((1 - left) / perSecond)) : 0
  }
}

/** FNV-1a. */
function hash(text: string, seed: number): number {
  let value = seed
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x0100_0193)
  return (value ^ (value >>> 15)) >>> 0
}
