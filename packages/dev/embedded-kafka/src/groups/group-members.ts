import { ErrorCode } from '../protocol/error-code.ts'
import type { Member } from './member.ts'

/** The members of a group by their ids, in the order they joined. */
export class GroupMembers {
  readonly #members = new Map<string, Member>()

  get all(): readonly Member[] {
    return [...this.#members.values()]
  }

  get size(): number {
    return this.#members.size
  }

  has(memberId: string): boolean {
    return this.#members.has(memberId)
  }

  get(memberId: string): Member | undefined {
    return this.#members.get(memberId)
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

  add(member: Member): void {
    this.#members.set(member.id, member)
  }

  /** Gives a member's instance id and assignment to its successor; the old one is answered as fenced. */
  replace(old: Member, member: Member): void {
    member.assignment = old.assignment
    old.dismiss(ErrorCode.FENCED_INSTANCE_ID)
    this.delete(old)
    this.add(member)
  }

  delete(member: Member): void {
    this.#members.delete(member.id)
  }

  clear(): void {
    this.#members.clear()
  }
}
