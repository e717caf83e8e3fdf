import { reasonOf } from '@taproom/core/lines'
import { atMost, createBackOff, createOutage, type Outage, pause } from '@taproom/core/time'
import type { DestinationSession, Outcome } from './destination.ts'
import { LEASE_MS, Lease, LeaseLostError, RENEW_MS } from './lease.ts'
import type { OutboxCounters, OutboxOptions } from './outbox.ts'
import type { Row, Rows } from './rows.ts'
import { inDeliverySpan } from './spans.ts'

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
  readonly #stopping = new AbortController()
  /** Aborts what is being written when the grace is over. */
  readonly #cutting = new AbortController()
  readonly #backOff = createBackOff({ firstMs: 200, longestMs: 3000, jitter: 0.5 })
  readonly #outage: Outage
  readonly #running: Promise<void>
  #isLeader = false
  #failure: string | undefined
  #atOnce = ROWS_AT_ONCE
  #woken = new AbortController()

  constructor(options: OutboxOptions, rows: Rows) {
    this.#options = options
    this.#rows = rows
    this.#lease = new Lease(options.channel, options.database)
    this.#outage = createOutage(options.log, 'outbox cannot deliver, trying again')
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
  }

  async #run(): Promise<void> {
    const { channel, log } = this.#options
    const stop = this.#stopping.signal
    while (!stop.aborted) {
      try {
        if (await this.#lease.take()) await this.#lead()
        else await pause(FOLLOWER_POLL_MS, stop)
      } catch (error) {
        if (error instanceof LeaseLostError) log.info({ channel }, 'outbox is delivered by another instance')
        else this.#failed(reasonOf(error))
        await this.#backOff.wait(stop)
      }
    }
  }

  async #lead(): Promise<void> {
    const lost = new AbortController()
    const ended = new AbortController()
    const cut = AbortSignal.any([lost.signal, this.#cutting.signal])
    const renewing = this.#renew(lost, ended.signal)
    try {
      const { outboxId } = await this.#lease.noted()
      await using session = await this.#options.destination.open({ outboxId })
      let number = await this.#settle(session)
      this.#isLeader = true
      this.#options.log.info({ channel: this.#options.channel }, 'outbox is delivered by this instance')
      while (!this.#stopping.signal.aborted) {
        if (lost.signal.aborted) throw lost.signal.reason
        this.#woken = new AbortController()
        const rows = await this.#rows.next(this.#most(session))
        if (rows.length === 0) {
          // The lease is kept and the database answers.
          this.#works()
          await pause(POLL_MS, this.#woken.signal)
          continue
        }
        number += 1
        await this.#deliver(session, { number, rows }, cut)
      }
    } finally {
      this.#isLeader = false
      ended.abort()
      await renewing
      // After a failure, too: another instance may reach the destination.
      await atMost(this.#lease.release(), RELEASE_LIMIT_MS)
    }
  }

  /**
   * Deletes the rows that the last leader wrote and did not delete, and returns the highest number of a batch. The lease was taken before the
   * session: no other instance can note or write a batch any more.
   */
  async #settle({ last }: DestinationSession): Promise<number> {
    const noted = await this.#lease.noted()
    if (last === noted.number) await this.#rows.delete(noted.rows)
    return Math.max(noted.number, last ?? 0)
  }

  #most({ last }: DestinationSession): number {
    return last === undefined ? ROWS_REPEATED : this.#atOnce
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
    const { channel, log } = this.#options
    const delivered: number[] = []
    let failure: string | undefined
    for (const [index, { id }] of rows.entries()) {
      const outcome = outcomes[index] ?? { state: 'waiting', reason: 'the destination gave no outcome' }
      if (outcome.state === 'delivered') delivered.push(id)
      else if (outcome.state === 'waiting') failure ??= outcome.reason
      else {
        await this.#rows.refuse(id, outcome.reason)
        this.counters.refused += 1
        log.error({ channel, id, reason: outcome.reason }, 'outbox message was refused for good and set aside')
      }
    }
    await this.#rows.delete(delivered)
    this.counters.delivered += delivered.length
    if (failure === undefined) return this.#works()
    this.#failed(failure)
    await this.#backOff.wait(this.#stopping.signal)
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

  /** Renews the lease until `ended`, and aborts `lost` when that has failed for as long as the lease. */
  async #renew(lost: AbortController, ended: AbortSignal): Promise<void> {
    let renewedAt = performance.now()
    for (;;) {
      await pause(RENEW_MS, ended)
      if (ended.aborted) return
      try {
        await this.#lease.renew()
        renewedAt = performance.now()
      } catch (error) {
        const isLost = error instanceof LeaseLostError
        if (!isLost && performance.now() - renewedAt <= LEASE_MS) continue
        lost.abort(error)
        this.wake()
      }
    }
  }
}
