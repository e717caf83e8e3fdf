import { failureOf } from '../protocol/protocol-error.ts'
import type { ShareSession } from '../sessions/share-sessions.ts'
import type { Broker } from './broker.ts'

/** Gives others what the member of a session has of the partitions that this broker leads. */
export function releaseShares(
  { groupId, memberId, partitions }: ShareSession,
  { nodeId, topics, groups }: Pick<Broker, 'nodeId' | 'topics' | 'groups'>,
): void {
  for (const { topicId, index } of partitions.values()) {
    const partition = topics.findById(topicId)?.partitions[index]
    if (partition?.replicas.leadership.leader !== nodeId) continue
    try {
      groups.shares.partitions.find({ groupId, topicId, index })?.release(memberId)
    } catch (error) {
      // A file that cannot be written: the locks run out.
      failureOf(error)
    }
  }
}
