import type { IncomingChannel, IncomingOptions } from './incoming-channel.ts'
import type { KafkaClient } from './kafka.ts'

export function openIncoming(_kafka: KafkaClient, _options: IncomingOptions): IncomingChannel {
  throw new Error('not built yet')
}
