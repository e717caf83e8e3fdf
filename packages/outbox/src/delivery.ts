import { reasonOf } from '@taproom/core/lines'
import { atMost, createBackOff, createOutage, type Outage, pause } from '@taproom/core/time'
import type { DestinationSession, Outcome } from './destination.ts'
import { HeldKeys } from './held-keys.ts'
import { Lease, LeaseLostError, type NotedBatch } from './lease.ts'
import type { OutboxCounters, OutboxOptions } from './outbox.ts'
import { type Row, Rows } from './rows.ts'
import { inDeliverySpan } from './spans.ts'
import type { DatabasePort } from './tables.ts'

const ROWS_AT_ONCE = 500
/** A destination without `last` may get so many messages again after a kill. */
const ROWS_REPEATED = 100
const POLL_MS = 200
const FOLLOWER_POLL_MS = 1000
const GRACE_MS = 2000
const CUT_LIMIT_MS = 1000
const RELEASE_LIMIT_MS = 1000

/** Delivers the rows of a channel while this instance has the lease. */
export class Delivery {
  readonly counters: { -readonly [name in keyof OutboxCounters]: number } = { delivered: 0, refused: 0, retries: 0 }
  readonly #options: OutboxOptions
  readonly #rows: Rows
  readonly #lease: Lease
  readonly #held = new HeldKeys()
  readonly #stopping = new AbortController()
  /** Aborts what is being written when the grace is over. */
  readonly #cutting = new AbortController()
  /** No query begins after it: the database may be closed. */
  readonly #closed = new AbortController()
  readonly #backOff = createBackOff({ firstMs: 200, longestMs: 3000, jitter: 0.5 })
  readonly #outage: Outage
  readonly #running: Promise<void>
  #isLeader = false
  #failure: string | undefined
  #atOnce = ROWS_AT_ONCE
  #woken = new AbortController()

  constructor(options: OutboxOptions) {
    const { channel, database, log } = options
    const query: DatabasePort['query'] = async (ask) => {
      this.#closed.signal.throwIfAborted()
      return await database.query(ask)
    }
    this.#options = options
    this.#rows = new Rows(channel, { query })
    this.#lease = new Lease(channel, { query })
    this.#outage = createOutage(log, 'outbox cannot deliver, trying again')
    this.#running = this.#run()
  }

  get isLeader(): boolean {
    return this.#isLeader
  }

  /** Why messages are not delivered now; undefined when they are. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** Ends the wait for messages. */
  wake(): void {
    this.#woken.abort()
  }

  /** Ends after the batch that is being written, three seconds later at most. */
  async close(): Promise<void> {
    this.#stopping.abort()
    this.wake()
    await atMost(this.#running, GRACE_MS)
    this.#cutting.abort()
    await atMost(this.#running, CUT_LIMIT_MS)
    this.#closed.abort()
  }

  async #run(): Promise<void> {
    const { channel, log } = this.#options
    const stop = this.#stopping.signal
    while (!stop.aborted) {
      try {
        const noted = await this.#lease.take()
        if (noted !== undefined) {
          await this.#lead(noted)
          continue
        }
        // The next warning comes only after this instance has delivered: instances take turns while the destination is away.
        this.#failure = undefined
        await pause(FOLLOWER_POLL_MS, stop)
      } catch (error) {
        if (stop.aborted) return
        if (error instanceof LeaseLostError) log.info({ channel }, 'outbox is delivered by another instance')
        else this.#failed(reasonOf(error))
        await this.#backOff.wait(stop)
      }
    }
  }

  async #lead(noted: NotedBatch): Promise<void> {
    const lost = new AbortController()
    const ended = new AbortController()
    const keeping = this.#lease.keep(ended.signal, lost)
    try {
      await using session = await this.#options.destination.open({ outboxId: noted.outboxId })
      // No other instance can note or write a batch now: the lease was taken before the session.
      if (session.last === noted.number) await this.#rows.delete(noted.rows)
      this.#isLeader = true
      this.#options.log.info({ channel: this.#options.channel }, 'outbox is delivered by this instance')
      let number = Math.max(noted.number, session.last ?? 0)
      while (!this.#stopping.signal.aborted) {
        lost.signal.throwIfAborted()
        this.#woken = new AbortController()
        const rows = await this.#next(session)
        if (rows.length === 0) await this.#idle()
        else {
          number += 1
          const signal = AbortSignal.any([lost.signal, this.#cutting.signal])
          await this.#deliver(session, { number, rows }, signal)
        }
      }
    } finally {
      this.#isLeader = false
      ended.abort()
      await keeping
      // After a failure, too: another instance may reach the destination.
      await atMost(this.#lease.release(), RELEASE_LIMIT_MS)
    }
  }

  async #next({ last }: DestinationSession): Promise<readonly Row[]> {
    this.#held.release()
    const { rows, unreadable } = await this.#rows.next(last === undefined ? ROWS_REPEATED : this.#atOnce, this.#held)
    for (const { id, reason } of unreadable) await this.#setAside(id, reason)
    return rows
  }

  /** There are no rows, or those of held keys alone. */
  async #idle(): Promise<void> {
    if (this.#held.isEmpty) this.#works()
    await pause(POLL_MS, this.#woken.signal)
  }

  async #deliver(
    session: DestinationSession,
    { number, rows }: { readonly number: number; readonly rows: readonly Row[] },
    signal: AbortSignal,
  ): Promise<void> {
    const ids = rows.map(({ id }) => id)
    const messages = rows.map(({ message }) => message)
    await this.#lease.note({ number, rows: ids })
    const { channel } = this.#options
    const outcomes = await inDeliverySpan(channel, messages, () => session.write({ number, messages }, signal))
    if (session.last !== undefined && rows.length > 1 && outcomes[0]?.state === 'refused') {
      this.#atOnce = Math.ceil(rows.length / 2)
      return
    }
    this.#atOnce = Math.min(this.#atOnce * 2, ROWS_AT_ONCE)
    await this.#conclude(rows, outcomes)
  }

  async #conclude(rows: readonly Row[], outcomes: readonly Outcome[]): Promise<void> {
    const delivered: number[] = []
    const waiting: Row[] = []
    let failure: string | undefined
    for (const [index, row] of rows.entries()) {
      const outcome = outcomes[index] ?? { state: 'waiting', reason: 'the destination gave no outcome' }
      if (outcome.state === 'delivered') delivered.push(row.id)
      else if (outcome.state === 'refused') await this.#setAside(row.id, outcome.reason)
      else {
        waiting.push(row)
        failure ??= outcome.reason
      }
    }
    await this.#rows.delete(delivered)
    this.counters.delivered += delivered.length
    if (failure !== undefined) this.#failed(failure)
    else if (this.#held.isEmpty) this.#works()
    this.#held.hold(waiting, this.#backOff.next)
    if (this.#held.areTooMany) await pause(this.#held.leftMs, this.#stopping.signal)
  }

  async #setAside(id: number, reason: string): Promise<void> {
    const { channel, log } = this.#options
    await this.#rows.refuse(id, reason)
    this.counters.refused += 1
    log.error({ channel, id, reason }, 'outbox message was refused for good and set aside')
  }

  #works(): void {
    this.#failure = undefined
    this.#outage.over()
    this.#backOff.reset()
  }

  #failed(reason: string): void {
    this.#failure = reason
    this.counters.retries += 1
    this.#outage.failed({ channel: this.#options.channel, reason })
  }
}
