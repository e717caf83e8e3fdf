import type { HealthCheck } from '@taproom/core/health'
import { tracing } from '@taproom/core/spans'
import type { Knex } from 'knex'
import { Delivery } from './delivery.ts'
import type { OutboxMessage } from './message.ts'
import type { Outbox, OutboxCounters, OutboxOptions, OutboxState } from './outbox.ts'
import { Rows } from './rows.ts'
import { SCOPE } from './spans.ts'

const DEFAULT_MAX_WAITING = 10_000

/**
 * Opens the outbox of a channel. Returns at once. In the background one of all instances delivers the messages: a killed one is replaced within
 * ten seconds. Delivered messages are deleted.
 *
 * @throws {RangeError} when an option is invalid
 * @example
 * await using outbox = openOutbox({ channel: 'orders', database, destination: createTransactionalWriter(kafka, options), log })
 * await database.query((knex) =>
 *   knex.transaction(async (trx) => {
 *     await trx('orders').insert(order)
 *     await outbox.send(trx, { key: order.id, value: JSON.stringify(order) })
 *   }),
 * )
 */
export function openOutbox(options: OutboxOptions): Outbox {
  const { channel, maxWaiting = DEFAULT_MAX_WAITING } = options
  if (channel === '') throw new RangeError('channel must not be empty')
  if (!Number.isInteger(maxWaiting) || maxWaiting < 1) {
    throw new RangeError(`maxWaiting must be an integer of at least 1, received ${maxWaiting}`)
  }
  return new DatabaseOutbox({ ...options, maxWaiting })
}

class DatabaseOutbox implements Outbox {
  readonly check: HealthCheck
  readonly #options: Required<OutboxOptions>
  readonly #rows: Rows
  readonly #delivery: Delivery

  constructor(options: Required<OutboxOptions>) {
    const { channel, database, maxWaiting } = options
    this.#options = options
    this.#rows = new Rows(channel, database)
    this.#delivery = new Delivery(options)
    this.check = {
      name: `Outbox ${channel}`,
      check: async () => {
        const state = await this.state()
        const { failure: reason } = this.#delivery
        return {
          status: state.waiting + state.refused >= maxWaiting ? 'DOWN' : 'UP',
          data: { ...this.counters, ...state, ...(reason !== undefined && { reason }) },
        }
      },
    }
  }

  get counters(): OutboxCounters {
    return { ...this.#delivery.counters }
  }

  async send(trx: Knex.Transaction, message: OutboxMessage): Promise<void> {
    const { channel, maxWaiting } = this.#options
    const traces = tracing()
    if (traces === undefined) await this.#rows.insert(trx, message, maxWaiting)
    else {
      const attributes = { 'messaging.operation.type': 'send', 'messaging.destination.name': channel }
      await traces.during(SCOPE, `send ${channel}`, { kind: 'producer', attributes }, async (span) => {
        const headers = { ...message.headers, ...traces.inject(span) }
        await this.#rows.insert(trx, { ...message, headers }, maxWaiting)
      })
    }
    const wake = () => this.#delivery.wake()
    trx.executionPromise.then(wake, wake)
  }

  async state(): Promise<OutboxState> {
    return { ...(await this.#rows.count()), isLeader: this.#delivery.isLeader }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#delivery.close()
  }
}
