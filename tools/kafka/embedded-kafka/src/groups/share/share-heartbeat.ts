import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import type { Assignment } from '../assignors/assignment.ts'
import { MAX_ID_CHARACTERS } from '../join-limits.ts'
import type { ShareMember } from './share-member.ts'

/** A ShareGroupHeartbeat request; what is null has not changed since the last one. */
export interface ShareHeartbeat {
  readonly groupId: string
  readonly memberId: string
  readonly memberEpoch: number
  readonly rackId: string | null
  readonly subscribedTopicNames: readonly string[] | null
}

export interface ShareHeartbeatAnswer {
  readonly memberId: string
  readonly memberEpoch: number
  readonly heartbeatIntervalMs: number
  /** Null when it is as the member knows it. */
  readonly assignment: Assignment | null
}

/** In place of an epoch: a request to join, and to leave. */
export const JOINS = 0
export const LEAVES = -1

/** They are kept with the member. */
const MAX_SUBSCRIPTION_CHARACTERS = 65_536
const MAX_SUBSCRIPTION_NAMES = 2000

function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.INVALID_REQUEST, message)
}

/** @throws {ProtocolError} INVALID_REQUEST, with Apache Kafka's words, when it contradicts itself */
export function checkShareHeartbeat(request: ShareHeartbeat): void {
  const { groupId, memberId, memberEpoch, rackId, subscribedTopicNames: names } = request
  if (memberId === '') throw invalid("MemberId can't be empty.")
  if (groupId === '') throw invalid("GroupId can't be empty.")
  if (rackId === '') throw invalid("RackId can't be empty.")
  if (memberEpoch === JOINS && (names === null || names.length === 0)) {
    throw invalid('SubscribedTopicNames must be set in first request.')
  }
  if (memberEpoch < LEAVES) throw invalid('MemberEpoch is invalid.')
  const characters = (names ?? []).reduce((sum, { length }) => sum + length, 0)
  const isLarge = characters > MAX_SUBSCRIPTION_CHARACTERS || (names?.length ?? 0) > MAX_SUBSCRIPTION_NAMES
  const ids = [groupId, memberId, rackId ?? '']
  if (isLarge || ids.some(({ length }) => length > MAX_ID_CHARACTERS)) {
    throw invalid('An id or the subscription is too long.')
  }
}

/**
 * Refuses a heartbeat with another epoch than the member's, or the one before: the answer with the new epoch was lost.
 * @throws {ProtocolError} FENCED_MEMBER_EPOCH
 */
export function checkShareEpoch(member: ShareMember, epoch: number): void {
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
