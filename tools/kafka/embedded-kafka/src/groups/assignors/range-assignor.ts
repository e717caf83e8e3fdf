import type { Assignment } from './assignment.ts'
import type { AssignedMember, PartitionCounts } from './assignor.ts'

/** Static members keep their place when their member id changes. */
function orderOf(member: AssignedMember): string {
  return member.instanceId ?? member.id
}

/** Of each topic every member gets a row of partitions: of topics with as many partitions and the same members, the same one. */
export function assignRanges(
  members: readonly AssignedMember[],
  topics: PartitionCounts,
): ReadonlyMap<string, Assignment> {
  const assigned = new Map<string, Record<string, readonly number[]>>(members.map(({ id }) => [id, {}]))
  const ordered = [...members].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  for (const [topicId, count] of topics) {
    const wanting = ordered.filter(({ topicIds }) => topicIds.has(topicId))
    const least = Math.floor(count / wanting.length)
    const withOneMore = count % wanting.length
    let next = 0
    for (const [place, { id }] of wanting.entries()) {
      const length = least + (place < withOneMore ? 1 : 0)
      const first = next
      const own = assigned.get(id)
      if (own && length > 0) own[topicId] = Array.from({ length }, (_, index) => first + index)
      next += length
    }
  }
  return assigned
}
