import { ErrorCode } from '../protocol/error-code.ts'
import type { Member } from './member.ts'

/** The members of a group by their ids, in the order in which they came. */
export class Roster {
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

  /** Why a request in the name of this instance and member must be refused, if it must. */
  instanceRefusal(instanceId: string | null, memberId: string): ErrorCode | undefined {
    if (instanceId === null) return undefined
    const current = this.byInstance(instanceId)
    if (!current) return ErrorCode.UNKNOWN_MEMBER_ID
    return current.id === memberId ? undefined : ErrorCode.FENCED_INSTANCE_ID
  }

  add(member: Member): void {
    this.#members.set(member.id, member)
  }

  /** Gives the place and the assignment of a member to another one, and tells the old one so. */
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
