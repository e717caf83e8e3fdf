import type { KafkaClient } from './kafka.ts'
import type { OutgoingChannel, OutgoingOptions } from './outgoing-channel.ts'

export function openOutgoing(_kafka: KafkaClient, _options: OutgoingOptions): OutgoingChannel {
  throw new Error('not built yet')
}
