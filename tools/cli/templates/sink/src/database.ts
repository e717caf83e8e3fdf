import { type Database, type DatabaseProperties, type Migrations, openDatabase } from '@taproom/database'
import type { Logger } from '@taproom/service'

/** Each runs once, in the order of the names. A change of a table is one more. */
const migrations: Migrations = {
  '0001_create_template_app': {
    async up(knex) {
      await knex.schema.createTable('template_app', (table) => {
        table.string('source', 500).notNullable()
        table.string('id', 500).notNullable()
        table.string('message', 1000).notNullable()
        table.primary(['source', 'id'])
      })
    },
    async down(knex) {
      await knex.schema.dropTable('template_app')
    },
  },
}

/** Returns at once and connects in the background. */
export function openTemplateAppDatabase(options: DatabaseProperties & { readonly log: Logger }): Database {
  return openDatabase({ ...options, migrations, migrationsTable: 'template_app_migrations' })
}
