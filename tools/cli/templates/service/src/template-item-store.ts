import { type DatabaseProperties, type Migrations, openDatabase } from '@taproom/database'
import type { Logger } from '@taproom/service'
import type { NewTemplateItem, Page, TemplateItem } from './template-item-schema.ts'

export type TemplateItemStore = ReturnType<typeof openTemplateItemStore>

const migrations: Migrations = {
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
}

/** The table `template_app`; returns at once and connects in the background. */
export function openTemplateItemStore(options: DatabaseProperties & { readonly log: Logger }) {
  const { database, migrateAtStart, log } = options
  const {
    query,
    ping,
    [Symbol.asyncDispose]: close,
  } = openDatabase({ database, migrateAtStart, migrations, migrationsTable: 'template_app_migrations', log })
  return {
    add: (item: NewTemplateItem): Promise<TemplateItem> =>
      query(async (knex) => {
        const [added] = await knex('template_app').insert(item).returning('*')
        return added
      }),
    find: (id: number): Promise<TemplateItem | undefined> =>
      query((knex) => knex('template_app').where({ id }).first()),
    /** In the order of their ids. One more than the limit, when there are more. */
    list: ({ limit, after = 0 }: Page): Promise<readonly TemplateItem[]> =>
      query((knex) =>
        knex('template_app')
          .where('id', '>', after)
          .orderBy('id')
          .limit(limit + 1),
      ),
    ping,
    [Symbol.asyncDispose]: close,
  }
}
