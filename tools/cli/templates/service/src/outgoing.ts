import { createKafka, type OutgoingChannel, type OutgoingProperties, openOutgoing } from '@taproom/messaging'
import type { Logger } from '@taproom/service'

/** Writes to the topic `template-app-out` what is given to `send`. */
export function openTemplateAppOutgoing(config: OutgoingProperties, log: Logger): OutgoingChannel {
  const kafka = createKafka({ clientId: 'template-app', ...config, log })
  return openOutgoing(kafka, { channel: 'template-app-out', ...config })
}
