import type { Assignment } from '../assignors/assignment.ts'
import { DEFAULT_ASSIGNOR } from '../assignors/assignors.ts'
import type { ConsumerMember } from './consumer-member.ts'

/** The assignor that most of the members ask for, if any does. */
export function chosenAssignor(members: readonly ConsumerMember[]): string {
  const votes = new Map<string, number>()
  for (const { assignor } of members) {
    if (assignor !== null) votes.set(assignor, (votes.get(assignor) ?? 0) + 1)
  }
  const [winner] = [...votes].sort((a, b) => b[1] - a[1])
  return winner?.[0] ?? DEFAULT_ASSIGNOR
}

/** The partitions that all but this member have, or have not given up yet. */
export function heldByOthers(members: readonly ConsumerMember[], id: string): Assignment {
  const held = new Map<string, number[]>()
  for (const member of members) {
    if (member.id === id) continue
    for (const [topicId, partitions] of [member.assigned, member.revoking].flatMap(Object.entries)) {
      held.set(topicId, [...(held.get(topicId) ?? []), ...(partitions as readonly number[])])
    }
  }
  return Object.fromEntries(held)
}
