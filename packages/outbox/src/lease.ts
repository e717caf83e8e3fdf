import { randomUUID } from 'node:crypto'
import { pause, withDeadline } from '@taproom/core/time'
import type { Knex } from 'knex'
import { type DatabasePort, LEASES } from './tables.ts'

/** A leader that has not renewed its lease for so long is replaced. */
export const LEASE_MS = 5000
const RENEW_MS = 1500

/** Another instance has taken the lease. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/** The last batch that a leader noted before it wrote it. */
export interface NotedBatch {
  readonly outboxId: string
  readonly number: number
  readonly rows: readonly number[]
}

interface LeaseRow {
  readonly outbox_id: string
  readonly holder: string | null
  readonly beat: number | string
  readonly batch: number | string
  readonly batch_rows: string
}

/**
 * The right to deliver the rows of a channel. It compares no clocks: each change of the row raises `beat`, and a follower that sees the same
 * `beat` for `LEASE_MS` by its own clock takes the row over. Each time that it is taken it has another holder, so that a statement that was
 * given up, and reaches the database late, changes nothing.
 */
export class Lease {
  readonly #channel: string
  readonly #database: DatabasePort
  readonly #now: () => number
  #holder: string | undefined
  #seen: { readonly beat: string; readonly sinceMs: number } | undefined

  constructor(channel: string, database: DatabasePort, now: () => number = () => performance.now()) {
    this.#channel = channel
    this.#database = database
    this.#now = now
  }

  /** The last batch of the leader before; undefined while another instance has the lease. */
  async take(): Promise<NotedBatch | undefined> {
    const { holder, beat } = (await this.#read()) ?? (await this.#create())
    const isFree = holder === null || holder === this.#holder
    if (!isFree && !this.#isStale(String(beat))) return undefined
    const next = randomUUID()
    const [taken]: readonly LeaseRow[] = await this.#database.query((knex) =>
      this.#raise(knex, { holder: next }).where({ channel: this.#channel, beat }).returning('*'),
    )
    if (taken === undefined) return undefined
    this.#holder = next
    return { outboxId: taken.outbox_id, number: Number(taken.batch), rows: JSON.parse(taken.batch_rows) }
  }

  /**
   * Renews the lease until `ended`. Aborts `lost` with a {@link LeaseLostError} when another instance has taken it, and with another error before
   * one may take it.
   */
  async keep(ended: AbortSignal, lost: AbortController): Promise<void> {
    let renewedAt = performance.now()
    const leftMs = () => Math.max(0, renewedAt + LEASE_MS - performance.now())
    for (;;) {
      await pause(Math.min(RENEW_MS, leftMs()), ended)
      if (ended.aborted) return
      const beganAt = performance.now()
      try {
        await withDeadline(this.#change({}), leftMs(), 'renewing the lease')
        renewedAt = beganAt
      } catch (error) {
        if (!(error instanceof LeaseLostError) && leftMs() > 0) continue
        lost.abort(error)
        return
      }
    }
  }

  /** Notes a batch before it is written. @throws {LeaseLostError} */
  async note({ number, rows }: Omit<NotedBatch, 'outboxId'>): Promise<void> {
    await this.#change({ batch: number, batch_rows: JSON.stringify(rows) })
  }

  /** Lets a follower take the lease at once. @throws {LeaseLostError} */
  async release(): Promise<void> {
    await this.#change({ holder: null })
  }

  #isStale(beat: string): boolean {
    if (this.#seen?.beat !== beat) this.#seen = { beat, sinceMs: this.#now() }
    return this.#now() - this.#seen.sinceMs >= LEASE_MS
  }

  async #change(values: object): Promise<void> {
    const mine = { channel: this.#channel, holder: this.#holder ?? '' }
    const changed = await this.#database.query((knex) => this.#raise(knex, values).where(mine))
    if (changed === 0) throw new LeaseLostError('another instance delivers now')
  }

  #raise(knex: Knex, values: object) {
    return knex(LEASES).update({ ...values, beat: knex.raw('beat + 1') })
  }

  async #read(): Promise<LeaseRow | undefined> {
    return await this.#database.query((knex) => knex(LEASES).where({ channel: this.#channel }).first())
  }

  async #create(): Promise<LeaseRow> {
    const row = { channel: this.#channel, outbox_id: randomUUID(), holder: null, beat: 0, batch: 0, batch_rows: '[]' }
    await this.#database.query((knex) => knex(LEASES).insert(row).onConflict('channel').ignore())
    return (await this.#read()) ?? row
  }
}
