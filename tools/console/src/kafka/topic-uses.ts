import type { Admin } from '@taproom/kafkajs'
import { readGroups } from './groups.ts'
import { isInternal, topicOffsets } from './topics.ts'

const MAX_TOPICS = 200
const DEAD_LETTERS = /^dead-letter-topic-/

/** A topic of services, and who reads it. */
export interface TopicUse {
  readonly name: string
  /** False for a topic to which nothing was ever written. */
  readonly isWritten: boolean
  /** Client ids of members of groups that have a partition of it. */
  readonly readers: readonly string[]
  /** True where a group has a partition of it or has committed an offset, whether it runs or not. */
  readonly isRead: boolean
}

/** Topics that services read and write: without those of dead letters and Kafka itself. The first 200. */
export async function readTopicUses(admin: Admin): Promise<readonly TopicUse[]> {
  const names = (await admin.listTopics()).filter(isOfServices).sort().slice(0, MAX_TOPICS)
  const [groups, ends] = await Promise.all([
    readGroups(admin),
    Promise.all(names.map((name) => topicOffsets(admin, name).catch(() => undefined))),
  ])
  const members = groups.flatMap((group) => group.members)
  const committed = new Set(groups.flatMap(({ offsets }) => offsets.map(({ topic }) => topic)))
  return names.flatMap((name, index) => {
    const offsets = ends[index]
    if (offsets === undefined) return []
    const own = members.filter(({ assigned }) => assigned.some(({ topic }) => topic === name))
    const readers = [...new Set(own.map(({ clientId }) => clientId))]
    const isWritten = [...offsets.values()].some(({ high }) => BigInt(high) > 0n)
    return { name, isWritten, readers, isRead: readers.length > 0 || committed.has(name) }
  })
}

function isOfServices(topic: string): boolean {
  return !isInternal(topic) && !topic.startsWith('__') && !DEAD_LETTERS.test(topic)
}
