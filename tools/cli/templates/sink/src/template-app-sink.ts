import { type OpenedSink, type SinkContext, validData } from '@taproom/event-sink'
import { databaseCheck } from '@taproom/health'
import { createKafka, openOutgoing } from '@taproom/messaging'
import { z } from 'zod'
import type { Config } from './config.ts'
import { openTemplateAppDatabase } from './database.ts'

const TYPE = 'greeting'
/** The data of events of this type. */
const schema = z.object({ message: z.string().max(1000) })

/** Opens what the handlers need. */
export function openTemplateAppSink({ config, log, use }: SinkContext<Config>): OpenedSink {
  // begin database
  const database = use(openTemplateAppDatabase({ ...config, log }))
  // end
  // begin outgoing
  const kafka = createKafka({ clientId: 'template-app-sink', ...config.outgoing, log })
  const outgoing = use(openOutgoing(kafka, { channel: 'template-app-out', ...config.outgoing }))
  // end
  return {
    on: {
      [TYPE]: validData(schema, async ({ source, id, data }) => {
        // begin database
        // An event may come twice: its row is there then.
        const row = { source, id, ...data }
        await database.query((knex) => knex('template_app').insert(row).onConflict(['source', 'id']).ignore())
        // end
        // begin outgoing
        await outgoing.send({ key: `${source} ${id}`, value: JSON.stringify(data) })
        // end
      }),
    },
    readiness: [
      // begin database
      databaseCheck({ '<default>': () => database.ping() }),
      // end
      // begin outgoing
      outgoing.check,
      // end
    ],
  }
}
