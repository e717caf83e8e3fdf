import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import type { Assignment, TopicPartitions } from '../assignors/assignment.ts'
import { ASSIGNORS } from '../assignors/assignors.ts'
import { MAX_ID_CHARACTERS } from '../join-limits.ts'
import { JOINS, LEAVES_FOR_A_WHILE } from './consumer-member.ts'

/** A ConsumerGroupHeartbeat request; what is null or -1 has not changed since the last one. */
export interface HeartbeatRequest {
  readonly groupId: string
  readonly memberId: string
  readonly memberEpoch: number
  readonly instanceId: string | null
  readonly rackId: string | null
  readonly rebalanceTimeoutMs: number
  readonly subscribedTopicNames: readonly string[] | null
  readonly subscribedTopicRegex: string | null
  readonly serverAssignor: string | null
  readonly topicPartitions: readonly TopicPartitions[] | null
}

export interface HeartbeatAnswer {
  readonly memberId: string
  readonly memberEpoch: number
  readonly heartbeatIntervalMs: number
  /** Null when it is as the member knows it. */
  readonly assignment: Assignment | null
}

/** They are kept with the member. */
const MAX_SUBSCRIPTION_CHARACTERS = 65_536
const MAX_SUBSCRIPTION_NAMES = 2000

function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.INVALID_REQUEST, message)
}

function checkJoin(request: HeartbeatRequest): void {
  if (request.rebalanceTimeoutMs === -1) throw invalid('RebalanceTimeoutMs must be provided in first request.')
  if (request.topicPartitions?.length !== 0) throw invalid('TopicPartitions must be empty when (re-)joining.')
  if (request.subscribedTopicNames === null && request.subscribedTopicRegex === null) {
    throw invalid('Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.')
  }
}

function checkSizes(request: HeartbeatRequest): void {
  const ids = [request.groupId, request.memberId, request.instanceId ?? '', request.rackId ?? '']
  const names = [...(request.subscribedTopicNames ?? []), request.subscribedTopicRegex ?? '']
  const characters = names.reduce((sum, { length }) => sum + length, 0)
  const isLarge = characters > MAX_SUBSCRIPTION_CHARACTERS || names.length > MAX_SUBSCRIPTION_NAMES
  if (isLarge || ids.some(({ length }) => length > MAX_ID_CHARACTERS))
    throw invalid('An id or the subscription is too long.')
}

/** @throws {ProtocolError} INVALID_REQUEST or UNSUPPORTED_ASSIGNOR, with Apache Kafka's words, when it contradicts itself */
export function checkHeartbeat(request: HeartbeatRequest): void {
  if (request.memberId === '') throw invalid("MemberId can't be empty.")
  if (request.groupId === '') throw invalid("GroupId can't be empty.")
  if (request.instanceId === '') throw invalid("InstanceId can't be empty.")
  if (request.rackId === '') throw invalid("RackId can't be empty.")
  checkSizes(request)
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
