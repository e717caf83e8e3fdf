import type { Database } from '@taproom/database'
import type { Outbox } from '@taproom/outbox'
import type { NewTemplateItem, Page, TemplateItem } from './template-item-schema.ts'

export type TemplateItemStore = ReturnType<typeof createTemplateItemStore>

/** The table `template_app`. */
export function createTemplateItemStore(
  { query }: Pick<Database, 'query'>,
  /* begin outbox */ outbox: Pick<Outbox, 'send'> /* end */,
) {
  return {
    add: (item: NewTemplateItem): Promise<TemplateItem> =>
      query((knex) =>
        knex.transaction(async (trx) => {
          const [added] = await trx('template_app').insert(item).returning('*')
          // begin outbox
          await outbox.send(trx, { key: String(added.id), value: JSON.stringify(added) })
          // end
          return added
        }),
      ),
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
  }
}
