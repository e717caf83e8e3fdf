import type { TopicView } from '../../src/api/kafka.ts'

/** How many records a partition holds, at most: offsets of transactions and of what was compacted count too. */
export function heldBy({ low, high }: TopicView['partitions'][number]): number {
  return Number(BigInt(high) - BigInt(low))
}
