import { encodePricedBeer } from '@taproom/beer'
import { type BeerHubOptions, type BeerRecord, DEFAULTS } from './beer-hub-options.ts'
import { type PartitionRange, ReplayRing } from './replay-ring.ts'
import { createBatch, encodeEvent, encodeRetry, encodeStreamError, heartbeatBatch, type SseBatch } from './sse-batch.ts'
import type { SseConnection } from './sse-connection.ts'
import { createSubscriber, hasCaughtUp, type Subscriber, takeBatch } from './subscriber.ts'

/** Bytes collected for one write at most. */
const FLUSH_BYTES = 64 * 1024
/** A client with more than this queued is dropped. */
const MAX_QUEUED_BYTES = 1024 * 1024
/** When a timer is at least this late, the process was held up. */
const HELD_UP_MS = 20

/**
 * Sends priced beers to any number of event streams. Each event is encoded once; everything published within one turn of the event loop is
 * one write for each client. A slow client queues up to its bound, is then dropped, and never slows the others.
 */
export class BeerHub implements Disposable {
  readonly #options: Required<BeerHubOptions>
  readonly #ring: ReplayRing
  readonly #live = new Set<Subscriber>()
  /** Clients still getting events they missed. */
  readonly #catchingUp = new Set<Subscriber>()
  /** Clients that connected before {@link begin}, with the id they resume after. */
  readonly #waiting = new Map<Subscriber, string | undefined>()
  readonly #newest = new Map<number, number>()
  readonly #hello: SseBatch
  readonly #failure: SseBatch
  readonly #heartbeats: NodeJS.Timeout
  /** When live clients last got an event, with and without past ones: shared, so it is not stored for each client. */
  readonly #sentAt = { all: Number.NEGATIVE_INFINITY, news: Number.NEGATIVE_INFINITY }
  #flushed = 0
  #pendingBytes = 0
  #hasBegun = false
  #isClosed = false
  #dropped = 0
  #failed = 0

  constructor(options: BeerHubOptions) {
    this.#options = { ...DEFAULTS, ...options }
    this.#ring = new ReplayRing(this.#options.ring)
    this.#hello = createBatch([encodeRetry(this.#options.retryMs)])
    this.#failure = createBatch([encodeStreamError(options.itemWaitMs)])
    this.#heartbeats = setInterval(() => this.#sendHeartbeat(), this.#options.heartbeatMs).unref()
  }

  /** Current clients, clients dropped for slow reading, streams failed for lack of events. */
  get counters(): { readonly clients: number; readonly dropped: number; readonly failed: number } {
    return { clients: this.#size, dropped: this.#dropped, failed: this.#failed }
  }

  get hasRoom(): boolean {
    return !this.#isClosed && this.#size < this.#options.maxClients
  }

  /** Sets where reading of each partition begins, before the first `publish`; until then resuming clients wait. */
  begin(ranges: readonly PartitionRange[]): void {
    for (const range of ranges) this.#ring.begin(range)
    this.#hasBegun = true
    for (const [subscriber, lastEventId] of this.#waiting) this.#admit(subscriber, lastEventId)
    this.#waiting.clear()
  }

  /**
   * Sends a beer to every client; a record read again is left out. Await a returned promise before the next call: the clients' connections
   * then need a turn of the event loop.
   */
  publish(record: BeerRecord): Promise<void> | undefined {
    const { partition, offset, timestamp } = record
    const newest = this.#newest.get(partition)
    if (offset <= this.#ring.position(partition)) {
      if (newest !== undefined && timestamp <= newest) return undefined
      // A first record may lie before where reading was to begin. A later, newer one is of a recreated topic.
      this.#restart({ partition, from: offset, end: newest === undefined ? this.#ring.end(partition) : offset })
    }
    this.#newest.set(partition, Math.max(newest ?? timestamp, timestamp))
    const data = encodePricedBeer(record)
    const { text } = this.#ring.push({ partition, offset, encode: (id) => encodeEvent({ id, data }) })
    if (this.#pendingBytes === 0) setImmediate(() => this.#flush())
    this.#pendingBytes += text.length
    if (this.#pendingBytes < FLUSH_BYTES) return undefined
    this.#flush()
    return new Promise((resolve) => setImmediate(resolve))
  }

  /** Sends a client every beer from now on, or from `lastEventId` on if that is known, until client or hub ends. */
  subscribe(connection: SseConnection, lastEventId?: string): void {
    const subscriber = createSubscriber(connection, performance.now())
    connection.onceClosed(() => this.#remove(subscriber))
    connection.send(this.#hello)
    this.#watch(subscriber)
    if (this.#hasBegun) this.#admit(subscriber, lastEventId)
    else this.#waiting.set(subscriber, lastEventId)
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return
    this.#flush()
    this.#isClosed = true
    clearInterval(this.#heartbeats)
    for (const subscriber of this.#everyone()) this.#end(subscriber)
  }

  get #size(): number {
    return this.#live.size + this.#catchingUp.size + this.#waiting.size
  }

  #everyone(): Subscriber[] {
    return [...this.#live, ...this.#catchingUp, ...this.#waiting.keys()]
  }

  #admit(subscriber: Subscriber, lastEventId: string | undefined): void {
    this.#flush()
    const resume = lastEventId === undefined ? undefined : this.#ring.resumeAfter(lastEventId)
    if (resume === undefined) {
      this.#live.add(subscriber)
      return
    }
    subscriber.next = resume.next
    subscriber.after = resume.after
    subscriber.wantsPast = true
    this.#catchingUp.add(subscriber)
    this.#catchUp(subscriber)
  }

  #catchUp(subscriber: Subscriber): void {
    do {
      if (subscriber.next < this.#ring.first) this.#drop(subscriber)
      else if (subscriber.connection.isFull) this.#catchUpOnceDrained(subscriber)
      else {
        const batch = takeBatch(this.#ring, subscriber)
        if (batch !== undefined) {
          subscriber.lastItemAt = performance.now()
          this.#send(subscriber, batch)
        }
        if (hasCaughtUp(this.#ring, subscriber) && this.#catchingUp.delete(subscriber)) this.#live.add(subscriber)
      }
    } while (this.#canCatchUp(subscriber))
  }

  #canCatchUp(subscriber: Subscriber): boolean {
    return this.#catchingUp.has(subscriber) && !subscriber.isDraining && subscriber.next < this.#ring.next
  }

  #catchUpOnceDrained(subscriber: Subscriber): void {
    if (subscriber.isDraining) return
    subscriber.isDraining = true
    subscriber.connection.onceDrained(() => {
      subscriber.isDraining = false
      this.#flush()
      this.#catchUp(subscriber)
    })
  }

  #flush(): void {
    const entries = this.#ring.from(this.#flushed)
    this.#flushed = this.#ring.next
    this.#pendingBytes = 0
    if (entries.length === 0 || this.#isClosed) return
    const now = performance.now()
    const fresh = entries.filter((entry) => !entry.isPast)
    const all = createBatch(entries.map((entry) => entry.text))
    const news = fresh.length === entries.length ? all : createBatch(fresh.map((entry) => entry.text))
    this.#sentAt.all = now
    if (fresh.length > 0) this.#sentAt.news = now
    for (const subscriber of this.#live) {
      const batch = subscriber.wantsPast ? all : news
      if (batch.plain.length > 0) this.#send(subscriber, batch)
    }
    for (const subscriber of this.#catchingUp) this.#catchUp(subscriber)
  }

  #send(subscriber: Subscriber, batch: SseBatch): void {
    if (subscriber.connection.send(batch)) return
    if (subscriber.connection.queuedBytes > MAX_QUEUED_BYTES) this.#drop(subscriber)
  }

  /** When a client last got an event, or connected. */
  #lastItemAt(subscriber: Subscriber): number {
    if (!this.#live.has(subscriber)) return subscriber.lastItemAt
    return Math.max(subscriber.lastItemAt, subscriber.wantsPast ? this.#sentAt.all : this.#sentAt.news)
  }

  #sendHeartbeat(): void {
    const quietSince = performance.now() - this.#options.heartbeatMs
    for (const subscriber of this.#everyone()) {
      const { connection } = subscriber
      if (this.#lastItemAt(subscriber) <= quietSince && !connection.isFull) connection.send(heartbeatBatch)
    }
  }

  /** A recreated topic counts from 0 again: entries of the old one must not be resumed from. */
  #restart(range: PartitionRange): void {
    this.#flush()
    this.#ring.begin(range)
    for (const subscriber of this.#catchingUp) {
      subscriber.after = undefined
      this.#catchUp(subscriber)
    }
  }

  /** One timer per client, re-armed only when it fires, not at each event. */
  #watch(subscriber: Subscriber): void {
    const lastItemAt = this.#lastItemAt(subscriber)
    const leftMs = lastItemAt + this.#options.itemWaitMs - performance.now()
    if (leftMs > 0) {
      subscriber.timer = setTimeout(() => this.#watch(subscriber), leftMs)
      return
    }
    // The process was held up: events that came meanwhile are still unread, so they get that much time.
    if (leftMs < -HELD_UP_MS && subscriber.extendedFor !== lastItemAt) {
      subscriber.extendedFor = lastItemAt
      subscriber.timer = setTimeout(() => this.#watch(subscriber), Math.min(-leftMs, this.#options.itemWaitMs))
      return
    }
    this.#failed += 1
    subscriber.connection.send(this.#failure)
    this.#end(subscriber)
  }

  #end(subscriber: Subscriber): void {
    this.#remove(subscriber)
    subscriber.connection.end()
  }

  #drop(subscriber: Subscriber): void {
    this.#dropped += 1
    this.#remove(subscriber)
    subscriber.connection.drop()
  }

  #remove(subscriber: Subscriber): void {
    clearTimeout(subscriber.timer)
    this.#live.delete(subscriber)
    this.#catchingUp.delete(subscriber)
    this.#waiting.delete(subscriber)
  }
}
