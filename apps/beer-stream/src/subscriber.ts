import { mergeEventId, type Positions } from './event-id.ts'
import type { ReplayRing } from './replay-ring.ts'
import { createBatch, type SseBatch, withId } from './sse-batch.ts'
import type { SseConnection } from './sse-connection.ts'

/** A client of the hub. */
export interface Subscriber {
  readonly connection: SseConnection
  /** Number of the ring's entry that it gets next; of no meaning once it is live. */
  next: number
  /** It has these already. */
  after: Positions | undefined
  /** It resumed, so it gets also what was written before reading began. */
  wantsPast: boolean
  /** When it connected, or got an event last that was not for all live clients; on the clock of `performance.now()`. */
  lastItemAt: number
  timer: NodeJS.Timeout | undefined
  /** The `lastItemAt` after which its wait was prolonged already. */
  extendedFor: number | undefined
  isDraining: boolean
}

/** A client that has only just connected. */
export function createSubscriber(connection: SseConnection, now: number): Subscriber {
  return {
    connection,
    next: 0,
    after: undefined,
    wantsPast: false,
    lastItemAt: now,
    timer: undefined,
    extendedFor: undefined,
    isDraining: false,
  }
}

/** How much is joined into one write when a client catches up. */
const batchBytes = 64 * 1024

/** Takes the next events that a subscriber lacks from the ring, about 64 KiB at most, and moves it on. */
export function takeBatch(ring: ReplayRing, subscriber: Subscriber): SseBatch | undefined {
  const texts: Buffer[] = []
  let bytes = 0
  while (subscriber.next < ring.next && bytes < batchBytes) {
    const entry = ring.at(subscriber.next++)
    if (entry === undefined || entry.offset <= (subscriber.after?.get(entry.partition) ?? -1n)) continue
    // While this instance reads back, its own position in another partition may lie before the client's.
    const id = subscriber.after === undefined ? entry.id : mergeEventId(entry.id, subscriber.after)
    texts.push(id === entry.id ? entry.text : withId(entry.text, id))
    bytes += entry.text.length
  }
  return texts.length === 0 ? undefined : createBatch(texts)
}

/** Whether a subscriber has all that the ring has, and the ring all that the subscriber had before. */
export function hasCaughtUp(ring: ReplayRing, subscriber: Subscriber): boolean {
  if (subscriber.next < ring.next) return false
  for (const [partition, offset] of subscriber.after ?? []) if (ring.position(partition) < offset) return false
  return true
}
