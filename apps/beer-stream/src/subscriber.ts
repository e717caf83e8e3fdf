import { mergeEventId, type Positions } from './event-id.ts'
import type { ReplayRing } from './replay-ring.ts'
import { createBatch, type SseBatch, withId } from './sse-batch.ts'
import type { SseConnection } from './sse-connection.ts'

export interface Subscriber {
  readonly connection: SseConnection
  /** Number of the ring entry to send next; unused once it is live. */
  next: number
  /** Positions it has already. */
  after: Positions | undefined
  /** It resumed, so it also gets events from before reading began. */
  wantsPast: boolean
  /** When it connected, or last got an event of its own; on the clock of `performance.now()`. */
  lastItemAt: number
  timer: NodeJS.Timeout | undefined
  /** The `lastItemAt` whose wait was already extended. */
  extendedFor: number | undefined
  isDraining: boolean
}

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

/** Bytes joined into one write when a client catches up. */
const BATCH_BYTES = 64 * 1024

/** Takes the subscriber's next events from the ring, about 64 KiB, and moves it on. */
export function takeBatch(ring: ReplayRing, subscriber: Subscriber): SseBatch | undefined {
  const texts: Buffer[] = []
  let bytes = 0
  while (subscriber.next < ring.next && bytes < BATCH_BYTES) {
    const entry = ring.at(subscriber.next++)
    if (entry === undefined || entry.offset <= (subscriber.after?.get(entry.partition) ?? -1n)) continue
    // While this instance still reads back, its position in another partition may be behind the client's.
    const id = subscriber.after === undefined ? entry.id : mergeEventId(entry.id, subscriber.after)
    texts.push(id === entry.id ? entry.text : withId(entry.text, id))
    bytes += entry.text.length
  }
  return texts.length === 0 ? undefined : createBatch(texts)
}

/** Whether the subscriber has everything in the ring, and the ring is past everything the subscriber had before. */
export function hasCaughtUp(ring: ReplayRing, subscriber: Subscriber): boolean {
  if (subscriber.next < ring.next) return false
  for (const [partition, offset] of subscriber.after ?? []) if (ring.position(partition) < offset) return false
  return true
}
