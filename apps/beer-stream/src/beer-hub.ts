import { encodePricedBeer } from '@taproom/beer'
import { type BeerHubOptions, type BeerRecord, defaults } from './beer-hub-options.ts'
import { type PartitionRange, ReplayRing } from './replay-ring.ts'
import { createBatch, encodeEvent, encodeRetry, encodeStreamError, heartbeatBatch, type SseBatch } from './sse-batch.ts'
import type { SseConnection } from './sse-connection.ts'
import { createSubscriber, hasCaughtUp, type Subscriber, takeBatch } from './subscriber.ts'

/** More than this is not held back to be sent together. */
const flushBytes = 64 * 1024
/** A timer as late as this was held up; milliseconds. */
const heldUpMs = 20

/**
 * Fans priced beers out to any number of event streams. Each event is encoded once; what is published within one turn of the
 * event loop goes out in one write per client. A client that reads slowly queues up to its bound and is dropped; others
 * notice nothing.
 */
export class BeerHub implements Disposable {
  readonly #options: Required<BeerHubOptions>
  readonly #ring: ReplayRing
  /** Clients that get every batch as it comes. */
  readonly #live = new Set<Subscriber>()
  /** Clients that are given what they missed. */
  readonly #catchingUp = new Set<Subscriber>()
  /** Clients that came before it was known where reading begins, with the id they resume after. */
  readonly #waiting = new Map<Subscriber, string | undefined>()
  readonly #newest = new Map<number, number>()
  readonly #hello: SseBatch
  readonly #failure: SseBatch
  readonly #heartbeats: NodeJS.Timeout
  /** When live clients got something last, those that want the past as well and those that do not: no need to note it for each. */
  readonly #sentAt = { all: Number.NEGATIVE_INFINITY, news: Number.NEGATIVE_INFINITY }
  #flushed = 0
  #pendingBytes = 0
  #hasBegun = false
  #isClosed = false
  #dropped = 0
  #failed = 0

  constructor(options: BeerHubOptions) {
    this.#options = { ...defaults, ...options }
    this.#ring = new ReplayRing(this.#options.ring)
    this.#hello = createBatch([encodeRetry(this.#options.retryMs)])
    this.#failure = createBatch([encodeStreamError(options.itemWaitMs)])
    this.#heartbeats = setInterval(() => this.#sendHeartbeat(), this.#options.heartbeatMs).unref()
  }

  /** Clients there are, clients dropped because they read too slowly, and streams failed because nothing came. */
  get counters(): { readonly clients: number; readonly dropped: number; readonly failed: number } {
    return { clients: this.#size, dropped: this.#dropped, failed: this.#failed }
  }

  /** Whether one more client can be taken. */
  get hasRoom(): boolean {
    return !this.#isClosed && this.#size < this.#options.maxClients
  }

  /** Tells from where on each partition is read, before the first `publish`; until then clients that resume have to wait. */
  begin(ranges: readonly PartitionRange[]): void {
    for (const range of ranges) this.#ring.begin(range)
    this.#hasBegun = true
    for (const [subscriber, lastEventId] of this.#waiting) this.#admit(subscriber, lastEventId)
    this.#waiting.clear()
  }

  /**
   * Sends a beer to every client. A record read again is left out. When a promise is returned, wait for it before the next
   * call: so much has been published that the clients' connections need a turn of the event loop.
   */
  publish(record: BeerRecord): Promise<void> | undefined {
    const { partition, offset, timestamp, name, price } = record
    const newest = this.#newest.get(partition)
    if (offset <= this.#ring.position(partition)) {
      if (newest !== undefined && timestamp <= newest) return undefined
      // What comes first may lie before where reading was to begin; what comes later and is newer is another topic's.
      this.#restart({ partition, from: offset, end: newest === undefined ? this.#ring.end(partition) : offset })
    }
    this.#newest.set(partition, Math.max(newest ?? timestamp, timestamp))
    const data = encodePricedBeer({ name, price })
    const { text } = this.#ring.push({ partition, offset, encode: (id) => encodeEvent({ id, data }) })
    if (this.#pendingBytes === 0) setImmediate(() => this.#flush())
    this.#pendingBytes += text.length
    if (this.#pendingBytes < flushBytes) return undefined
    this.#flush()
    return new Promise((resolve) => setImmediate(resolve))
  }

  /** Sends every beer from now on to a client, or from `lastEventId` on when that is known; until one of both is over. */
  subscribe(connection: SseConnection, lastEventId?: string): void {
    const subscriber = createSubscriber(connection, performance.now())
    connection.onceClosed(() => this.#remove(subscriber))
    connection.send(this.#hello)
    this.#watch(subscriber)
    if (this.#hasBegun) this.#admit(subscriber, lastEventId)
    else this.#waiting.set(subscriber, lastEventId)
  }

  /** Ends every stream in order. */
  [Symbol.dispose](): void {
    if (this.#isClosed) return
    this.#flush()
    this.#isClosed = true
    clearInterval(this.#heartbeats)
    for (const subscriber of this.#everyone()) this.#end(subscriber, this.#hello)
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
    if (subscriber.connection.queuedBytes > this.#options.maxQueuedBytes) this.#drop(subscriber)
  }

  /** When a client got an event last, or connected. */
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

  /** A topic that was made anew counts from 0 again: what was kept of the old one resumes nobody. */
  #restart(range: PartitionRange): void {
    this.#flush()
    this.#ring.begin(range)
    for (const subscriber of this.#catchingUp) {
      subscriber.after = undefined
      this.#catchUp(subscriber)
    }
  }

  /** One timer per client, armed anew only when it fires, however many events have come. */
  #watch(subscriber: Subscriber): void {
    const lastItemAt = this.#lastItemAt(subscriber)
    const leftMs = lastItemAt + this.#options.itemWaitMs - performance.now()
    if (leftMs > 0) {
      subscriber.timer = setTimeout(() => this.#watch(subscriber), leftMs)
      return
    }
    // A timer that fires late means that this process was held up: what came meanwhile is still to be read, so it gets that time.
    if (leftMs < -heldUpMs && subscriber.extendedFor !== lastItemAt) {
      subscriber.extendedFor = lastItemAt
      subscriber.timer = setTimeout(() => this.#watch(subscriber), Math.min(-leftMs, this.#options.itemWaitMs))
      return
    }
    this.#failed += 1
    this.#end(subscriber, this.#failure)
  }

  #end(subscriber: Subscriber, last: SseBatch): void {
    this.#remove(subscriber)
    subscriber.connection.send(last)
    subscriber.connection.end()
  }

  #drop(subscriber: Subscriber): void {
    this.#dropped += 1
    this.#remove(subscriber)
    subscriber.connection.destroy()
  }

  #remove(subscriber: Subscriber): void {
    clearTimeout(subscriber.timer)
    this.#live.delete(subscriber)
    this.#catchingUp.delete(subscriber)
    this.#waiting.delete(subscriber)
  }
}
