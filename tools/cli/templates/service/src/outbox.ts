import { createKafka, createTransactionalWriter, type OutgoingProperties } from '@taproom/messaging'
import { type DatabasePort, type Outbox, openOutbox } from '@taproom/outbox'
import type { Logger } from '@taproom/service'

/** Writes to the topic `template-app-out` what committed transactions sent. */
export function openTemplateAppOutbox(config: OutgoingProperties, database: DatabasePort, log: Logger): Outbox {
  const kafka = createKafka({ clientId: 'template-app', ...config, log })
  const { topic, compression } = config
  const destination = createTransactionalWriter(kafka, { topic, compression, transactionalId: 'template-app-out' })
  return openOutbox({ channel: 'template-app-out', database, destination, log })
}
