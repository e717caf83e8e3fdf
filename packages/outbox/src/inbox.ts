import type { Log } from '@taproom/core/lines'
import { createOutage, pause } from '@taproom/core/time'
import type { Knex } from 'knex'
import { type DatabasePort, SEEN } from './tables.ts'

export interface InboxOptions {
  /** Name of the handler that acts once: another one sees the same ids for itself. */
  readonly consumer: string
  readonly database: DatabasePort
  /** How long an id is remembered, in milliseconds by the clocks of the instances. Default seven days. */
  readonly keepMs?: number
  readonly log: Log
}

/** Remembers ids, for handlers that must act once on what may come again. */
export interface Inbox extends AsyncDisposable {
  /**
   * True for an id that no committed transaction has, and noted in this one. A second transaction with the same id waits for the first on
   * PostgreSQL.
   *
   * @throws {RangeError} when the id is empty, has a NUL character or more than 1024 bytes
   */
  once(trx: Knex.Transaction, id: string): Promise<boolean>
}

const DEFAULT_KEEP_MS = 7 * 24 * 3_600_000
/** PostgreSQL's index takes 2704 bytes of consumer and id. */
const MOST_ID_BYTES = 1024
const MOST_CONSUMER_BYTES = 255
const SWEEP_MS = 60_000
const SWEPT_AT_ONCE = 1000

/**
 * Opens the inbox of a consumer. It deletes ids that are older than `keepMs`, in the background.
 *
 * @throws {RangeError} when an option is invalid
 *
 * @example
 * await database.query((knex) =>
 *   knex.transaction(async (trx) => {
 *     if (await inbox.once(trx, `${event.source} ${event.id}`)) await trx('stock').decrement('bottles', 1)
 *   }),
 * )
 */
export function openInbox({ consumer, database, keepMs = DEFAULT_KEEP_MS, log }: InboxOptions): Inbox {
  if (!Number.isInteger(keepMs) || keepMs < 1) {
    throw new RangeError(`keepMs must be an integer of at least 1, received ${keepMs}`)
  }
  checkText('consumer', consumer, MOST_CONSUMER_BYTES)
  const closing = new AbortController()
  const sweeping = sweepUntil(closing.signal, () => deleteOld(database, consumer, Date.now() - keepMs), log)
  return {
    async once(trx, id) {
      checkText('an id', id, MOST_ID_BYTES)
      const row = { consumer, id, seen_ms: Date.now() }
      const noted = await trx(SEEN).insert(row).onConflict(['consumer', 'id']).ignore().returning('id')
      return noted.length > 0
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await sweeping
    },
  }
}

function checkText(what: string, text: string, most: number): void {
  const bytes = Buffer.byteLength(text)
  if (bytes < 1 || bytes > most) throw new RangeError(`${what} must have 1 to ${most} bytes, received ${bytes}`)
  // PostgreSQL cannot store it.
  if (text.includes('\0')) throw new RangeError(`${what} must have no NUL character`)
}

async function sweepUntil(signal: AbortSignal, sweep: () => Promise<number>, log: Log): Promise<void> {
  const outage = createOutage(log, 'inbox cannot delete old ids, trying again')
  while (!signal.aborted) {
    let isMore = false
    try {
      isMore = (await sweep()) === SWEPT_AT_ONCE
      outage.over()
    } catch (err) {
      outage.failed({ err })
    }
    if (!isMore) await pause(SWEEP_MS, signal, { keepsAlive: false })
  }
}

async function deleteOld(database: DatabasePort, consumer: string, beforeMs: number): Promise<number> {
  return await database.query((knex) => {
    const old = knex(SEEN).where({ consumer }).where('seen_ms', '<', beforeMs).select('id').limit(SWEPT_AT_ONCE)
    return knex(SEEN).where({ consumer }).whereIn('id', old).delete()
  })
}
