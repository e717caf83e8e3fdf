import { createKafka, type IncomingChannel, type IncomingProperties, openIncoming } from '@taproom/messaging'
import type { Logger } from '@taproom/service'

/** Reads the topic `template-app-in`, each message at least once. */
export function openTemplateAppIncoming(config: IncomingProperties, log: Logger): IncomingChannel {
  const kafka = createKafka({ clientId: 'template-app', ...config, log })
  return openIncoming(kafka, {
    channel: 'template-app-in',
    ...config,
    onMessage({ topic, partition, offset }) {
      log.info({ topic, partition, offset }, 'message received')
    },
  })
}
