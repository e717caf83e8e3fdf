import { ErrorCode } from '../protocol/error-code.ts'
import type { SyncRequest } from './join-and-sync.ts'
import type { Member } from './member.ts'

/** Members may say that they take no time at all. */
const MIN_ABSENCE_CHECK_MS = 1000

/** The members of a group by their ids, in the order they joined. */
export class GroupMembers extends Map<string, Member> {
  get all(): readonly Member[] {
    return [...this.values()]
  }

  /** The static member (KIP-345) that has this instance id now. */
  byInstance(instanceId: string | null): Member | undefined {
    return instanceId === null ? undefined : this.all.find((member) => member.instanceId === instanceId)
  }

  /** Why a request that names this instance and member is refused; undefined when it is not. */
  instanceRefusal(instanceId: string | null, memberId: string): ErrorCode | undefined {
    if (instanceId === null) return undefined
    const current = this.byInstance(instanceId)
    if (!current) return ErrorCode.UNKNOWN_MEMBER_ID
    return current.id === memberId ? undefined : ErrorCode.FENCED_INSTANCE_ID
  }

  /** As {@link instanceRefusal}; an unknown member is refused, too. */
  refusal(memberId: string, instanceId: string | null): ErrorCode | undefined {
    const fenced = this.instanceRefusal(instanceId, memberId)
    return fenced ?? (this.has(memberId) ? undefined : ErrorCode.UNKNOWN_MEMBER_ID)
  }

  /** Removes those that have not joined, but for static members, which may come back until their session ends. */
  dropAbsent(): void {
    for (const member of this.all) {
      if (member.isJoining || member.instanceId !== null) continue
      member.dismiss(ErrorCode.UNKNOWN_MEMBER_ID)
      this.delete(member.id)
    }
  }

  /** None could lead a generation: there are only static members that have not joined. */
  get areAllAbsent(): boolean {
    return this.size > 0 && this.all.every((member) => !member.isJoining)
  }

  /** The longest time that any of them may take to join again. */
  get rebalanceTimeoutMs(): number {
    return Math.max(0, ...this.all.map((member) => member.rebalanceTimeoutMs))
  }

  /** How long to wait until looking again whether absent members are back. */
  get absenceCheckMs(): number {
    return Math.max(MIN_ABSENCE_CHECK_MS, this.rebalanceTimeoutMs)
  }

  /** Gives each the part that the leader has for it. */
  assign(assignments: SyncRequest['assignments']): void {
    for (const { memberId, assignment } of assignments) {
      const member = this.get(memberId)
      if (member) member.assignment = Buffer.from(assignment)
    }
  }

  /** Gives a member's instance id and assignment to its successor; the old one is answered as fenced. */
  replace(old: Member, member: Member): void {
    member.assignment = old.assignment
    old.dismiss(ErrorCode.FENCED_INSTANCE_ID)
    this.delete(old.id)
    this.set(member.id, member)
  }
}
