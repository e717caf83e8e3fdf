import { ErrorCode } from '../protocol/error-code.ts'
import { chooseProtocol } from './choose-protocol.ts'
import type { JoinResult, SyncResult } from './join-and-sync.ts'
import type { Member } from './member.ts'

/** The agreement of a group's members in their last rebalance. */
export class Generation {
  id = 0
  /** Set by the first member; all others have the same. */
  protocolType = ''
  /** Null while there are no members. */
  protocolName: string | null = null
  leaderId = ''

  /** Begins the next generation with these members: the leader stays if it has joined. */
  begin(members: readonly Member[]): void {
    const joined = members.filter((member) => member.isJoining)
    this.id += 1
    this.protocolName = members.length > 0 ? chooseProtocol(members) : null
    if (!joined.some(({ id }) => id === this.leaderId)) this.leaderId = joined[0]?.id ?? ''
  }

  /** The answer to a member that has joined; only the leader sees the others. */
  joined(member: Member, members: readonly Member[]): JoinResult {
    const protocolName = this.protocolName ?? ''
    const visible = member.id === this.leaderId ? members : []
    return {
      errorCode: ErrorCode.NONE,
      generationId: this.id,
      protocolType: this.protocolType,
      protocolName,
      leader: this.leaderId,
      skipAssignment: false,
      memberId: member.id,
      members: visible.map((each) => ({
        memberId: each.id,
        groupInstanceId: each.instanceId,
        metadata: each.metadataFor(protocolName),
      })),
    }
  }

  /** The answer to a static member that is back without a rebalance: if it leads, it must not assign again (KIP-814). */
  resumed(
    member: Member,
    how: { readonly formerId: string; readonly knowsSkipAssignment: boolean; readonly members: readonly Member[] },
  ): JoinResult {
    const joined = this.joined(member, how.members)
    const isLeader = member.id === this.leaderId
    if (!isLeader || how.knowsSkipAssignment) return { ...joined, skipAssignment: isLeader }
    // A client too old for that answer must not know that it leads.
    return { ...joined, leader: how.formerId, members: [] }
  }

  synced(member: Member): SyncResult {
    const { protocolType, protocolName } = this
    return { errorCode: ErrorCode.NONE, protocolType, protocolName, assignment: member.assignment }
  }

  /** Whether a SyncGroup request names this generation's protocol, as far as it names one. */
  matches(request: { readonly protocolType: string | null; readonly protocolName: string | null }): boolean {
    return (
      (request.protocolType ?? this.protocolType) === this.protocolType &&
      (request.protocolName ?? this.protocolName) === this.protocolName
    )
  }
}
