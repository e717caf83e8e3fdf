import { reasonOf } from '@taproom/core/lines'
import type { Knex } from 'knex'
import type { StoredMessage } from './destination.ts'
import { OutboxFullError } from './errors.ts'
import type { HeldKeys } from './held-keys.ts'
import { checkMessage, type OutboxMessage } from './message.ts'
import { type DatabasePort, ROWS } from './tables.ts'

/** One statement: a transaction of SQLite that reads first cannot write once another process has written. */
const INSERT = `insert into ${ROWS} (channel, "key", headers, value, bytes, created_ms)
select ?, ?, ?, ?, ?, ?
where (select count(*) from (select 1 from ${ROWS} where channel = ? limit ?) as waiting) < ?
returning id`

const BATCH_BYTES = 4 * 1024 * 1024

/** A message that waits, and its id. */
export interface Row {
  readonly id: number
  readonly message: StoredMessage
}

/** Rows of one look at the table. */
export interface FoundRows {
  readonly rows: readonly Row[]
  /** Rows that are not as `send` writes them: an operator has changed them, or added them. */
  readonly unreadable: readonly { readonly id: number; readonly reason: string }[]
}

/** How many rows a channel has. */
export interface RowCounts {
  readonly waiting: number
  readonly refused: number
  /** The age of the oldest message that waits. */
  readonly oldestSeconds: number
}

/** The rows of one channel. */
export class Rows {
  readonly #channel: string
  readonly #database: DatabasePort

  constructor(channel: string, database: DatabasePort) {
    this.#channel = channel
    this.#database = database
  }

  /** @throws {OutboxFullError} when there are `maxWaiting`; {OutboxMessageError} */
  async insert(trx: Knex.Transaction, message: OutboxMessage, maxWaiting: number): Promise<void> {
    const channel = this.#channel
    const bytes = checkMessage(message, channel)
    const { key, value, headers = {} } = message
    const data = typeof value === 'string' ? Buffer.from(value) : value
    const row = [channel, key, JSON.stringify(headers), data, bytes, Date.now()]
    const inserted = await trx.raw(INSERT, [...row, channel, maxWaiting, maxWaiting])
    // SQLite gives the rows alone.
    const ids = Array.isArray(inserted) ? inserted : inserted.rows
    if (ids.length === 0) throw new OutboxFullError(`${maxWaiting} messages wait already`, channel)
  }

  /** The next messages to be delivered: `most` at most, and no more than about 4 MiB; none that is held. */
  async next(most: number, { keys, ids: heldIds }: Pick<HeldKeys, 'keys' | 'ids'>): Promise<FoundRows> {
    return await this.#database.query(async (knex) => {
      const found: readonly Sized[] = await knex(ROWS)
        .where({ channel: this.#channel })
        .whereNull('refused')
        .whereNotIn('id', heldIds)
        .where((each) => each.whereNull('key').orWhereNotIn('key', keys))
        .orderBy('id')
        .limit(most)
        .select('id', 'bytes')
      const ids = found.slice(0, countWithin(found)).map(({ id }) => Number(id))
      const stored: readonly Stored[] = ids.length === 0 ? [] : await knex(ROWS).whereIn('id', ids).orderBy('id')
      return this.#foundIn(stored)
    })
  }

  async delete(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    await this.#database.query((knex) =>
      knex(ROWS)
        .whereIn('id', [...ids])
        .delete(),
    )
  }

  /** Sets a message aside: it stays in the table with the reason. */
  async refuse(id: number, reason: string): Promise<void> {
    await this.#database.query((knex) => knex(ROWS).where({ id }).update({ refused: reason }))
  }

  async count(): Promise<RowCounts> {
    const [found] = await this.#database.query<readonly Counted[]>((knex) =>
      knex(ROWS)
        .where({ channel: this.#channel })
        .count({ rows: '*', refused: 'refused' })
        .select(knex.raw('min(case when refused is null then created_ms end) as oldest')),
    )
    const refused = Number(found?.refused ?? 0)
    const oldestMs = found?.oldest == null ? 0 : Date.now() - Number(found.oldest)
    return {
      waiting: Number(found?.rows ?? 0) - refused,
      refused,
      oldestSeconds: Math.max(0, Math.round(oldestMs / 1000)),
    }
  }

  #foundIn(stored: readonly Stored[]): FoundRows {
    const rows: Row[] = []
    const unreadable: { id: number; reason: string }[] = []
    for (const row of stored) {
      const id = Number(row.id)
      try {
        rows.push({ id, message: messageOf(row, this.#channel) })
      } catch (error) {
        unreadable.push({ id, reason: reasonOf(error) })
      }
    }
    return { rows, unreadable }
  }
}

/** PostgreSQL gives 64-bit integers as text. */
type Whole = number | string

interface Sized {
  readonly id: Whole
  readonly bytes: number
}

interface Stored extends Sized {
  readonly key: string | null
  readonly headers: string
  readonly value: Buffer | null
  readonly created_ms: Whole
}

interface Counted {
  readonly rows: Whole
  readonly refused: Whole
  readonly oldest: Whole | null
}

function countWithin(rows: readonly Sized[]): number {
  let bytes = 0
  let count = 0
  for (const row of rows) {
    bytes += row.bytes
    if (count > 0 && bytes > BATCH_BYTES) break
    count += 1
  }
  return count
}

/** Kafka refuses a time that is far ahead of its own: that of an instance whose clock was wrong. */
function messageOf({ key, value, headers: text, created_ms }: Stored, channel: string): StoredMessage {
  const headers = JSON.parse(text)
  checkMessage({ key, value, headers }, channel)
  return { key, value, headers, timestamp: Math.min(Number(created_ms), Date.now()) }
}
