import type { Broker } from '../../broker/broker.ts'
import type { Codec } from '../../wire/codec.ts'
import { array, string, uuid, ZERO_UUID } from '../../wire/primitives.ts'
import { between, since, struct } from '../../wire/struct.ts'

/** Since this version Produce and Fetch have ids of topics in place of names (KIP-516). */
export const TOPIC_ID_VERSION = 13

/** Data of partitions by topic. */
export const byTopicKey = <P>(partition: Codec<P>) =>
  array(
    struct({
      name: between(0, TOPIC_ID_VERSION - 1, string, ''),
      topicId: since(TOPIC_ID_VERSION, uuid, ZERO_UUID),
      partitions: array(partition),
    }),
  )

/** What a topic is called by in requests that have names, or ids in their place (KIP-516). */
export interface TopicKey {
  readonly name: string
  readonly topicId: string
}

/** The name that is meant: undefined for an id that no topic has. */
export function topicNameOf({ topics }: Pick<Broker, 'topics'>, { name, topicId }: TopicKey): string | undefined {
  return topicId === ZERO_UUID ? name : topics.findById(topicId)?.name
}
