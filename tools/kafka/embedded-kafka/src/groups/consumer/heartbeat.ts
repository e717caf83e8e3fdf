import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import type { TopicPartitions } from '../assignors/assignment.ts'
import { ASSIGNORS } from '../assignors/assignors.ts'
import { checkSizes, invalid, type ModernHeartbeat } from '../modern/modern-heartbeat.ts'
import { JOINS } from '../modern/modern-member.ts'
import { LEAVES_FOR_A_WHILE } from './consumer-member.ts'

/** A ConsumerGroupHeartbeat request; what is null or -1 has not changed since the last one. */
export interface HeartbeatRequest extends ModernHeartbeat {
  readonly instanceId: string | null
  readonly rebalanceTimeoutMs: number
  readonly subscribedTopicRegex: string | null
  readonly serverAssignor: string | null
  readonly topicPartitions: readonly TopicPartitions[] | null
}

function checkJoin(request: HeartbeatRequest): void {
  if (request.rebalanceTimeoutMs === -1) throw invalid('RebalanceTimeoutMs must be provided in first request.')
  if (request.topicPartitions?.length !== 0) throw invalid('TopicPartitions must be empty when (re-)joining.')
  if (request.subscribedTopicNames === null && request.subscribedTopicRegex === null) {
    throw invalid('Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.')
  }
}

/** @throws {ProtocolError} INVALID_REQUEST or UNSUPPORTED_ASSIGNOR, with Apache Kafka's words, when it contradicts itself */
export function checkHeartbeat(request: HeartbeatRequest): void {
  if (request.memberId === '') throw invalid("MemberId can't be empty.")
  if (request.groupId === '') throw invalid("GroupId can't be empty.")
  if (request.instanceId === '') throw invalid("InstanceId can't be empty.")
  if (request.rackId === '') throw invalid("RackId can't be empty.")
  checkSizes(
    [request.groupId, request.memberId, request.instanceId ?? '', request.rackId ?? ''],
    [...(request.subscribedTopicNames ?? []), request.subscribedTopicRegex ?? ''],
  )
  if (request.memberEpoch === JOINS) checkJoin(request)
  if (request.memberEpoch === LEAVES_FOR_A_WHILE && request.instanceId === null)
    throw invalid("InstanceId can't be null.")
  if (request.memberEpoch < LEAVES_FOR_A_WHILE) throw invalid('MemberEpoch is invalid.')
  const { serverAssignor } = request
  if (serverAssignor !== null && !ASSIGNORS.has(serverAssignor)) {
    const supported = [...ASSIGNORS.keys()].join(', ')
    const message = `ServerAssignor ${serverAssignor} is not supported. Supported assignors: ${supported}.`
    throw new ProtocolError(ErrorCode.UNSUPPORTED_ASSIGNOR, message)
  }
}
