import type { Admin } from '@taproom/kafkajs'
import { HttpProblem } from '@taproom/service'
import type { RecordCount, TopicView } from '../api/kafka.ts'
import type { Figures } from './figures.ts'

const INTERNAL = new Set(['__consumer_offsets', '__transaction_state', '__share_group_state', '__cluster_metadata'])
const MAX_TOPICS = 200

export interface Offsets {
  readonly low: string
  readonly high: string
}

/**
 * Topics by name, those that Kafka keeps for itself last: 200 at most of those that have `text` in their names; `total` says how many there are.
 * A topic whose offsets cannot be read, as before it has a leader, is listed without them.
 *
 * @throws what kafkajs throws when no topic's offsets can be read
 */
export async function listTopics(
  admin: Admin,
  figures: Figures,
  text = '',
): Promise<{ items: TopicView[]; total: number }> {
  const { topics } = await admin.fetchTopicMetadata()
  const wanted = text.toLowerCase()
  const found = topics.filter(({ name }) => name.toLowerCase().includes(wanted)).sort(ownFirst)
  const shown = found.slice(0, MAX_TOPICS)
  const read = await Promise.allSettled(shown.map(({ name }) => topicOffsets(admin, name)))
  const [first] = read
  if (first?.status === 'rejected' && read.every(({ status }) => status === 'rejected')) throw first.reason
  const items: TopicView[] = []
  for (const [index, { name, partitions }] of shown.entries()) {
    const offsets = read[index]?.status === 'fulfilled' ? read[index].value : new Map<number, Offsets>()
    items.push({
      name,
      isInternal: isInternal(name),
      records: await recordsOf(admin, name, offsets, figures),
      partitions: partitions
        .map(({ partitionId, leader, replicas, isr }) => ({
          partition: partitionId,
          leader,
          replicas,
          inSync: isr,
          ...(offsets.get(partitionId) ?? NOTHING),
        }))
        .sort((a, b) => a.partition - b.partition),
    })
  }
  return { items, total: found.length }
}

/** Counts the records of a topic; Kafka's own topics are not read. */
function recordsOf(
  admin: Admin,
  topic: string,
  offsets: ReadonlyMap<number, Offsets>,
  { counter, until }: Figures,
): Promise<RecordCount> {
  const ranges = [...offsets].map(([partition, { low, high }]) => ({ partition, from: BigInt(low), to: BigInt(high) }))
  return counter.count(admin, topic, ranges, isInternal(topic) ? 0 : until)
}

/** True for topics that Kafka keeps for itself. */
export function isInternal(topic: string): boolean {
  return INTERNAL.has(topic)
}

const NOTHING: Offsets = { low: '0', high: '0' }

function ownFirst(a: { readonly name: string }, b: { readonly name: string }): number {
  return Number(isInternal(a.name)) - Number(isInternal(b.name)) || (a.name < b.name ? -1 : 1)
}

/** First and next offset of each partition; none for a topic that is deleted meanwhile. */
export async function topicOffsets(admin: Admin, topic: string): Promise<ReadonlyMap<number, Offsets>> {
  const offsets = await admin.fetchTopicOffsets(topic)
  return new Map(offsets.map(({ partition, low, high }) => [partition, { low, high }]))
}

/**
 * The same of a topic that must be there.
 * @throws {HttpProblem} 404
 */
export async function offsetsOf(admin: Admin, topic: string): Promise<ReadonlyMap<number, Offsets>> {
  const topics = await admin.listTopics()
  if (!topics.includes(topic)) throw new HttpProblem(404, { detail: `topic ${JSON.stringify(topic)} does not exist` })
  return topicOffsets(admin, topic)
}
