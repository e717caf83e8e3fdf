import type { KafkaClient } from './kafka.ts'
import type { TransformChannel, TransformOptions } from './transform-channel.ts'

export function openTransform(_kafka: KafkaClient, _options: TransformOptions): TransformChannel {
  throw new Error('not built yet')
}
