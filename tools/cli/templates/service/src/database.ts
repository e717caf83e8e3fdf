import { type Database, type DatabaseProperties, type Migrations, openDatabase } from '@taproom/database'
import { outboxTables } from '@taproom/outbox'
import type { Logger } from '@taproom/service'

/** Each runs once, in the order of the names. A change of a table is one more. */
const migrations: Migrations = {
  // begin outbox|inbox
  '0000_create_outbox': outboxTables,
  // end
  // begin resource
  '0001_create_template_app': {
    async up(knex) {
      await knex.schema.createTable('template_app', (table) => {
        table.increments('id')
        table.string('name', 100).notNullable().unique()
      })
    },
    async down(knex) {
      await knex.schema.dropTable('template_app')
    },
  },
  // end
  // begin inbox
  '0002_create_template_app_received': {
    async up(knex) {
      await knex.schema.createTable('template_app_received', (table) => {
        table.integer('id').primary()
        table.string('name', 100).notNullable()
      })
    },
    async down(knex) {
      await knex.schema.dropTable('template_app_received')
    },
  },
  // end
}

/** Returns at once and connects in the background. */
export function openTemplateAppDatabase(options: DatabaseProperties & { readonly log: Logger }): Database {
  return openDatabase({ ...options, migrations, migrationsTable: 'template_app_migrations' })
}
