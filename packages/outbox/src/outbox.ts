import type { HealthCheck } from '@taproom/core/health'
import type { Log } from '@taproom/core/lines'
import type { Knex } from 'knex'
import type { Destination } from './destination.ts'
import type { OutboxMessage } from './message.ts'
import type { RowCounts } from './rows.ts'
import type { DatabasePort } from './tables.ts'

export interface OutboxOptions {
  /** Name of the rows, in health checks and logs. The same in all instances, and of one destination. */
  readonly channel: string
  readonly database: DatabasePort
  readonly destination: Destination
  /** Most messages in the table, those that were refused included. Default 10000. */
  readonly maxWaiting?: number
  readonly log: Log
}

/** Messages since the outbox was opened, by this instance. */
export interface OutboxCounters {
  readonly delivered: number
  /** Set aside: the destination will never take them. */
  readonly refused: number
  /** Attempts to deliver that failed, in part or as a whole. */
  readonly retries: number
}

export interface OutboxState extends RowCounts {
  /** True while this instance delivers. */
  readonly isLeader: boolean
}

/** Messages that are written with the rows of a transaction and delivered afterwards. */
export interface Outbox extends AsyncDisposable {
  /**
   * Writes a message in the transaction: it is delivered once that is committed, and never when it is rolled back. Messages of a key keep the
   * order of the calls, unless their transactions overlap.
   *
   * @throws {OutboxFullError} when `maxWaiting` messages wait; {OutboxMessageError} when a field of the message is wrong. The transaction can go
   *   on after both
   */
  send(trx: Knex.Transaction, message: OutboxMessage): Promise<void>
  /** Readiness, `Outbox <channel>`: DOWN at the bound, and while the database is away. */
  readonly check: HealthCheck
  readonly counters: OutboxCounters
  /** Counts the rows, for metrics. */
  state(): Promise<OutboxState>
}
