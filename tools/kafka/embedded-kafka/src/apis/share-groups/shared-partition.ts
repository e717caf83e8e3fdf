import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import type { SharedPartition } from '../../sessions/share-sessions.ts'
import { beginOffset } from '../../shares/begin.ts'
import type { SharePartition } from '../../shares/share-partition.ts'
import type { Partition } from '../../topics/partition.ts'
import { leaderFor, NOT_TOLD } from '../cluster/current-leader.ts'
import type { RequestContext } from '../definition/api.ts'
import { isAllowed } from '../definition/authorized-operations.ts'

/** A partition that this broker leads, and where a group is in it. */
export interface Shared {
  readonly partition: Partition
  readonly share: SharePartition
}

/** @throws {ProtocolError} when there is none, the client may not read it, or another broker leads it */
export function requireShared(context: RequestContext, groupId: string, { topicId, index }: SharedPartition): Shared {
  const { broker } = context
  const topic = broker.topics.findById(topicId)
  if (!topic) throw new ProtocolError(ErrorCode.UNKNOWN_TOPIC_ID, 'This server does not host this topic ID.')
  if (!isAllowed(context, 'READ', 'TOPIC', topic.name)) {
    throw new ProtocolError(ErrorCode.TOPIC_AUTHORIZATION_FAILED, 'Topic authorization failed.')
  }
  const partition = broker.leading(topic.name, index)
  const { epoch } = partition.replicas.leadership
  const share = broker.groups.shares.partitions.open({ groupId, topicId, index }, epoch, (rules) =>
    beginOffset(partition, rules, broker.now()),
  )
  if (share) return { partition, share }
  const message = 'This server does not host this topic-partition.'
  throw new ProtocolError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, message)
}

/** As Apache Kafka says it here: its message has no default. */
const NOT_SAID = { leaderId: 0, leaderEpoch: 0 }

/** Who leads a partition now, for a client that asked another broker. */
export function leaderOf(context: RequestContext, { topicId, index }: SharedPartition, errorCode: ErrorCode) {
  const name = context.broker.topics.findById(topicId)?.name ?? ''
  const leader = leaderFor(errorCode, name, index, context)
  return leader === NOT_TOLD ? NOT_SAID : leader
}
