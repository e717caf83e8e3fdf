import type { Assignment } from './assignment.ts'
import type { AssignedMember, PartitionCounts } from './assignor.ts'

class Load {
  readonly member: AssignedMember
  count = 0
  readonly partitions = new Map<string, number[]>()

  constructor(member: AssignedMember) {
    this.member = member
  }

  give(topicId: string, partition: number): void {
    const own = this.partitions.get(topicId) ?? []
    own.push(partition)
    this.partitions.set(topicId, own)
    this.count += 1
  }

  /** Its last one of a topic. */
  take(topicId: string): number | undefined {
    const partition = this.partitions.get(topicId)?.pop()
    if (partition !== undefined) this.count -= 1
    return partition
  }

  get assignment(): Assignment {
    const own = [...this.partitions].filter(([, partitions]) => partitions.length > 0)
    return Object.fromEntries(own.map(([topicId, partitions]) => [topicId, partitions.sort((a, b) => a - b)]))
  }
}

function least(loads: readonly Load[]): Load | undefined {
  return loads.reduce<Load | undefined>((found, each) => (found && found.count <= each.count ? found : each), undefined)
}

/** Gives partitions of a topic from who has most to who has least, while that makes a difference; true when some were moved. */
function level(topicId: string, loads: readonly Load[]): boolean {
  let isMoved = false
  for (;;) {
    const to = least(loads)
    const holders = loads.filter(({ partitions }) => (partitions.get(topicId)?.length ?? 0) > 0)
    const from = holders.reduce<Load | undefined>(
      (found, each) => (found && found.count >= each.count ? found : each),
      undefined,
    )
    if (!to || !from || from.count - to.count < 2) return isMoved
    const partition = from.take(topicId)
    if (partition === undefined) return isMoved
    to.give(topicId, partition)
    isMoved = true
  }
}

/** Each round makes a difference smaller; members with different topics may take several. */
const MAX_ROUNDS = 20

/** Members get as many partitions as each other, as far as they want the same topics, and keep what they had where that allows it. */
export function assignUniformly(
  members: readonly AssignedMember[],
  topics: PartitionCounts,
): ReadonlyMap<string, Assignment> {
  const loads = members.map((member) => new Load(member))
  const wanting = new Map([...topics.keys()].map((id) => [id, loads.filter(({ member }) => member.topicIds.has(id))]))
  for (const [topicId, count] of topics) {
    const given = new Set<number>()
    for (const load of wanting.get(topicId) ?? []) {
      for (const partition of load.member.target[topicId] ?? []) {
        if (partition >= count || given.has(partition)) continue
        given.add(partition)
        load.give(topicId, partition)
      }
    }
    for (let partition = 0; partition < count; partition += 1) {
      if (!given.has(partition)) least(wanting.get(topicId) ?? [])?.give(topicId, partition)
    }
  }
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const moved = [...wanting].filter(([topicId, wanted]) => level(topicId, wanted))
    if (moved.length === 0) break
  }
  return new Map(loads.map((load) => [load.member.id, load.assignment]))
}
