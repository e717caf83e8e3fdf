import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import { type Assignment, isEmpty, without } from '../assignors/assignment.ts'
import { type ConsumerMember, LEAVES_FOR_A_WHILE } from './consumer-member.ts'
import type { HeartbeatRequest } from './heartbeat.ts'

/**
 * Refuses a heartbeat with another epoch than the member's. The one before is taken with no more than it was given then: the answer
 * with the new epoch was lost.
 * @throws {ProtocolError} FENCED_MEMBER_EPOCH
 */
export function checkEpoch(member: ConsumerMember, epoch: number, owned: Assignment | null): void {
  if (epoch === member.epoch) return
  const isRepeated = epoch === member.previousEpoch && owned !== null && isEmpty(without(owned, member.assigned))
  if (epoch < member.epoch && isRepeated) return
  const difference = epoch > member.epoch ? 'greater' : 'smaller'
  throw new ProtocolError(
    ErrorCode.FENCED_MEMBER_EPOCH,
    `The consumer group member has a ${difference} member epoch (${epoch}) than the one known by the group coordinator ` +
      `(${member.epoch}). The member must abandon all its partitions and rejoin.`,
  )
}

type Instance = Pick<HeartbeatRequest, 'memberId' | 'instanceId'>

/** @throws {ProtocolError} FENCED_INSTANCE_ID when another process is this static member now */
export function checkInstance(current: ConsumerMember | undefined, { memberId, instanceId }: Instance): ConsumerMember {
  if (!current) throw new ProtocolError(ErrorCode.UNKNOWN_MEMBER_ID, `Instance id ${instanceId} is unknown.`)
  if (current.id === memberId) return current
  const message = `Static member ${memberId} with instance id ${instanceId} was fenced by member ${current.id}.`
  throw new ProtocolError(ErrorCode.FENCED_INSTANCE_ID, message)
}

/** @throws {ProtocolError} UNRELEASED_INSTANCE_ID while another process is this static member, and has not left */
export function checkReleased(current: ConsumerMember, { memberId, instanceId }: Instance): void {
  if (current.epoch === LEAVES_FOR_A_WHILE) return
  throw new ProtocolError(
    ErrorCode.UNRELEASED_INSTANCE_ID,
    `Static member ${memberId} with instance id ${instanceId} cannot join the group because the instance id is owned by ` +
      `${current.id} member.`,
  )
}
