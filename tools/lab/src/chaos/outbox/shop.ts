import type { Log } from '@taproom/core/lines'
import { type DatabaseConfig, type Migrations, openDatabase } from '@taproom/database'
import { createKafka, createTransactionalWriter } from '@taproom/messaging'
import { type Destination, openOutbox, outboxTables } from '@taproom/outbox'

/** Where a shop is. */
export interface ShopPlace {
  readonly database: DatabaseConfig
  readonly bootstrapServers: string
  readonly topic: string
}

export interface Order {
  readonly id: string
  readonly customer: string
  /** True: the transaction is rolled back after row and message are written. */
  readonly isWrong: boolean
}

/** The order was wrong, and its transaction rolled back. */
export class WrongOrderError extends Error {
  override readonly name = 'WrongOrderError'
}

const migrations: Migrations = {
  '0001_orders': {
    async up(knex) {
      await knex.schema.createTable('customers', (table) => {
        table.text('customer').primary()
        table.integer('orders').notNullable()
      })
      await knex.schema.createTable('orders', (table) => {
        table.text('id').primary()
        table.text('customer').notNullable()
        table.integer('number').notNullable()
      })
    },
    async down(knex) {
      for (const table of ['orders', 'customers']) await knex.schema.dropTable(table)
    },
  },
  '0002_outbox': outboxTables,
}

/** The database of a shop. */
export function openShopDatabase(database: DatabaseConfig, log: Log) {
  return openDatabase({ database, migrateAtStart: true, migrations, log })
}

/** Opens a shop with a small outbox, so that it is full while Kafka is away. `around` may put something between outbox and Kafka. */
export function openShop(
  { database: config, bootstrapServers, topic }: ShopPlace,
  log: Log,
  around = (destination: Destination) => destination,
) {
  const database = openShopDatabase(config, log)
  const kafka = createKafka({ clientId: 'shop', bootstrapServers, log })
  const outbox = openOutbox({
    channel: 'orders',
    database,
    destination: around(createTransactionalWriter(kafka, { topic, transactionalId: `${topic}-shop` })),
    maxWaiting: 500,
    log,
  })
  return {
    database,
    outbox,
    /** An order with its number among those of its customer: row and message, or neither. @throws {WrongOrderError} */
    async order({ id, customer, isWrong }: Order): Promise<void> {
      await database.query((knex) =>
        knex.transaction(async (trx) => {
          // Locks the customer's row until the end, so that no other transaction of this customer overlaps.
          const [{ orders: number }] = await trx('customers')
            .insert({ customer, orders: 1 })
            .onConflict('customer')
            .merge({ orders: trx.raw('customers.orders + 1') })
            .returning('orders')
          await trx('orders').insert({ id, customer, number })
          await outbox.send(trx, { key: customer, value: JSON.stringify({ id, number }) })
          if (isWrong) throw new WrongOrderError(`order ${id} is wrong`)
        }),
      )
    },
    async [Symbol.asyncDispose]() {
      await outbox[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
