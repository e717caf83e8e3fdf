import type { Knex } from 'knex'

export const ROWS = 'outbox'
export const LEASES = 'outbox_leases'
export const SEEN = 'inbox'

/** The part of a database that is needed here; that of `@taproom/database` fits. */
export interface DatabasePort {
  /** Runs queries outside of transactions. */
  query<T>(ask: (knex: Knex) => Promise<T>): Promise<T>
}

/** The migration that creates the tables; a service gives it a name in its own list of migrations. */
export const outboxTables: Knex.Migration = {
  async up(knex) {
    await knex.schema.createTable(ROWS, (table) => {
      // Ids must never be given again, not even those of deleted rows.
      table.bigIncrements('id')
      table.text('channel').notNullable()
      table.text('key')
      table.text('headers').notNullable()
      table.integer('bytes').notNullable()
      table.bigInteger('created_ms').notNullable()
      table.text('refused')
      // The last one: SQLite reads through a large value to what is behind it.
      table.binary('value')
      table.index(['channel', 'id'])
    })
    await knex.schema.createTable(LEASES, (table) => {
      table.text('channel').primary()
      table.text('outbox_id').notNullable()
      table.text('holder')
      table.bigInteger('beat').notNullable()
      table.bigInteger('batch').notNullable()
      table.text('batch_rows').notNullable()
    })
    await knex.schema.createTable(SEEN, (table) => {
      table.text('consumer').notNullable()
      table.text('id').notNullable()
      table.bigInteger('seen_ms').notNullable()
      table.primary(['consumer', 'id'])
      table.index(['consumer', 'seen_ms'])
    })
  },
  async down(knex) {
    for (const table of [SEEN, LEASES, ROWS]) await knex.schema.dropTable(table)
  },
}
