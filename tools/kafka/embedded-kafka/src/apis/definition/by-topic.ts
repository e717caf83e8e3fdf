import { mapInTurns } from '../../turn.ts'
import type { Codec } from '../../wire/codec.ts'
import { array, int16, int32, string } from '../../wire/primitives.ts'
import { struct } from '../../wire/struct.ts'

export interface TopicPartitions<P> {
  readonly name: string
  readonly partitions: readonly P[]
}

/** Data of partitions, grouped by the names of their topics, as in many messages. */
export function byTopic<P>(partition: Codec<P>): Codec<readonly TopicPartitions<P>[]> {
  return array(struct({ name: string, partitions: array(partition) }))
}

export const errorsByTopic = byTopic(struct({ index: int32, errorCode: int16 }))

/** Answers for all partitions of topics. */
export function forPartitions<P, R>(topics: readonly TopicPartitions<P>[], answer: (partition: P, topic: string) => R) {
  return topics.map(({ name, partitions }) => ({ name, partitions: partitions.map((each) => answer(each, name)) }))
}

/** Answers for one partition after the other, pausing in between when it takes long. */
export function mapPartitions<P, R>(
  topics: readonly TopicPartitions<P>[],
  map: (topic: string, partition: P) => R,
): Promise<TopicPartitions<R>[]> {
  return mapInTurns(topics, async ({ name, partitions }) => ({
    name,
    partitions: await mapInTurns(partitions, (partition) => map(name, partition)),
  }))
}
