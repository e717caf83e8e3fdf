import { type DatabaseProperties, type Migrations, openDatabase } from '@taproom/database'
import type { Logger } from '@taproom/service'

export type Notes = ReturnType<typeof openNotes>

const MOST_NOTES = 100

const migrations: Migrations = {
  '0001_create_notes': {
    async up(knex) {
      await knex.schema.createTable('template_app_notes', (table) => {
        table.increments('id')
        table.text('text').notNullable()
      })
    },
    async down(knex) {
      await knex.schema.dropTable('template_app_notes')
    },
  },
  '0002_first_note': {
    async up(knex) {
      await knex('template_app_notes').insert({ text: 'the first note' })
    },
    async down(knex) {
      await knex('template_app_notes').where({ text: 'the first note' }).delete()
    },
  },
}

/** The notes of the database; returns at once and connects in the background. */
export function openNotes(options: DatabaseProperties & { readonly log: Logger }) {
  const { database, migrateAtStart, log } = options
  const {
    query,
    ping,
    [Symbol.asyncDispose]: close,
  } = openDatabase({
    database,
    migrateAtStart,
    migrations,
    migrationsTable: 'template_app_migrations',
    log,
  })
  return {
    /** The first 100, by their ids. @throws {DatabaseUnavailableError} when the database is away */
    list: (): Promise<readonly string[]> =>
      query((knex) => knex('template_app_notes').orderBy('id').limit(MOST_NOTES).pluck('text')),
    ping,
    [Symbol.asyncDispose]: close,
  }
}
