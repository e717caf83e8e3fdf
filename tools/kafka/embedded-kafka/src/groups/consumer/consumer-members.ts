import type { Assignment } from '../assignors/assignment.ts'
import { DEFAULT_ASSIGNOR } from '../assignors/assignors.ts'
import type { ConsumerMember } from './consumer-member.ts'

/** The members of a group by their ids, and what of them is not kept yet. */
export class ConsumerMembers {
  readonly #members = new Map<string, ConsumerMember>()
  readonly #changed = new Map<string, ConsumerMember | null>()

  constructor(members: readonly ConsumerMember[]) {
    for (const member of members) this.#members.set(member.id, member)
  }

  get all(): readonly ConsumerMember[] {
    return [...this.#members.values()]
  }

  get size(): number {
    return this.#members.size
  }

  get(id: string): ConsumerMember | undefined {
    return this.#members.get(id)
  }

  /** The static member that has this instance id now. */
  byInstance(instanceId: string): ConsumerMember | undefined {
    return this.all.find((each) => each.instanceId === instanceId)
  }

  put(member: ConsumerMember): void {
    if (this.#members.get(member.id) !== member) this.#changed.set(member.id, member)
    this.#members.set(member.id, member)
  }

  delete(id: string): void {
    this.#members.delete(id)
    this.#changed.set(id, null)
  }

  /** Null for those that are gone. */
  get changed(): ReadonlyMap<string, ConsumerMember | null> {
    return this.#changed
  }

  noteSaved(): void {
    this.#changed.clear()
  }

  /** What most of those that ask for an assignor ask for. */
  get assignorName(): string {
    const votes = new Map<string, number>()
    for (const { assignor } of this.#members.values()) {
      if (assignor !== null) votes.set(assignor, (votes.get(assignor) ?? 0) + 1)
    }
    const [winner] = [...votes].sort((a, b) => b[1] - a[1])
    return winner?.[0] ?? DEFAULT_ASSIGNOR
  }

  /** What all but this one have, or have not given up yet. */
  heldBut(id: string): Assignment {
    const held = new Map<string, number[]>()
    for (const member of this.#members.values()) {
      if (member.id === id) continue
      for (const [topicId, partitions] of [member.assigned, member.revoking].flatMap(Object.entries)) {
        held.set(topicId, [...(held.get(topicId) ?? []), ...(partitions as readonly number[])])
      }
    }
    return Object.fromEntries(held)
  }
}
