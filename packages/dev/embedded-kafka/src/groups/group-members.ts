import { ErrorCode } from '../protocol/error-code.ts'
import type { Member } from './member.ts'

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

  /** Gives a member's instance id and assignment to its successor; the old one is answered as fenced. */
  replace(old: Member, member: Member): void {
    member.assignment = old.assignment
    old.dismiss(ErrorCode.FENCED_INSTANCE_ID)
    this.delete(old.id)
    this.set(member.id, member)
  }
}
