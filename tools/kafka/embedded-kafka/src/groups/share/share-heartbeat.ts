import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import { checkSizes, invalid, type ModernHeartbeat } from '../modern/modern-heartbeat.ts'
import { JOINS, LEAVES, type ModernMember } from '../modern/modern-member.ts'

/** @throws {ProtocolError} INVALID_REQUEST, with Apache Kafka's words, when it contradicts itself */
export function checkShareHeartbeat(request: ModernHeartbeat): void {
  const { groupId, memberId, memberEpoch, rackId, subscribedTopicNames: names } = request
  if (memberId === '') throw invalid("MemberId can't be empty.")
  if (groupId === '') throw invalid("GroupId can't be empty.")
  if (rackId === '') throw invalid("RackId can't be empty.")
  if (memberEpoch === JOINS && (names === null || names.length === 0)) {
    throw invalid('SubscribedTopicNames must be set in first request.')
  }
  if (memberEpoch < LEAVES) throw invalid('MemberEpoch is invalid.')
  checkSizes([groupId, memberId, rackId ?? ''], names ?? [])
}

/**
 * Refuses a heartbeat with another epoch than the member's, or the one before: the answer with the new epoch was lost.
 * @throws {ProtocolError} FENCED_MEMBER_EPOCH
 */
export function checkShareEpoch(member: ModernMember, epoch: number): void {
  if (epoch === member.epoch || epoch === member.previousEpoch) return
  const difference = epoch > member.epoch ? 'greater' : 'smaller'
  const previous =
    epoch > member.epoch ? '' : `, and it does not match the previous member epoch (${member.previousEpoch})`
  throw new ProtocolError(
    ErrorCode.FENCED_MEMBER_EPOCH,
    `The share group member has a ${difference} member epoch (${epoch}) than the one known by the group coordinator ` +
      `(${member.epoch})${previous}. The member must abandon all its partitions and rejoin.`,
  )
}
