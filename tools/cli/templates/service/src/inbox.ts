import { parseJson } from '@taproom/core/limits'
import type { Database } from '@taproom/database'
import { createKafka, type IncomingChannel, type IncomingProperties, openIncoming } from '@taproom/messaging'
import type { Inbox } from '@taproom/outbox'
import type { Logger } from '@taproom/service'
import { z } from 'zod'

/** The value of a message. Another one is a failure of the channel, for which its `failure-strategy` decides. */
const schema = z.object({ id: z.int32(), name: z.string().max(100) })

export interface TemplateAppInboxOptions {
  readonly database: Pick<Database, 'query'>
  readonly inbox: Pick<Inbox, 'once'>
  readonly log: Logger
}

/** Adds a row for each message of the topic `template-app-in`, once. While the database is away, messages wait. */
export function openTemplateAppInbox(
  config: IncomingProperties,
  { database, inbox, log }: TemplateAppInboxOptions,
): IncomingChannel {
  const kafka = createKafka({ clientId: 'template-app', ...config, log })
  return openIncoming(kafka, {
    channel: 'template-app-in',
    ...config,
    async onMessage({ value }) {
      const { id, name } = schema.parse(parseJson(value ?? ''))
      const isFirst = await database.query((knex) =>
        knex.transaction(async (trx) => {
          const first = await inbox.once(trx, String(id))
          if (first) await trx('template_app_received').insert({ id, name })
          return first
        }),
      )
      log.info({ id }, isFirst ? 'message handled' : 'message handled before')
    },
  })
}
