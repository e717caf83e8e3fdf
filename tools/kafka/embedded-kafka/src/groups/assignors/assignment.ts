import { isRecord } from '../../storage/shapes.ts'

/** Partitions by the id of their topic; no topic without partitions. */
export type Assignment = Readonly<Record<string, readonly number[]>>

export const NOTHING: Assignment = {}

export interface TopicPartitions {
  readonly topicId: string
  readonly partitions: readonly number[]
}

function build(topicIds: Iterable<string>, partitionsOf: (topicId: string) => readonly number[]): Assignment {
  const built: Record<string, readonly number[]> = {}
  for (const topicId of topicIds) {
    const partitions = partitionsOf(topicId)
    if (partitions.length > 0) built[topicId] = partitions
  }
  return built
}

function has(assignment: Assignment, topicId: string): ReadonlySet<number> {
  return new Set(assignment[topicId])
}

export function common(a: Assignment, b: Assignment): Assignment {
  return build(Object.keys(a), (topicId) => {
    const other = has(b, topicId)
    return (a[topicId] ?? []).filter((partition) => other.has(partition))
  })
}

export function without(a: Assignment, b: Assignment): Assignment {
  return build(Object.keys(a), (topicId) => {
    const other = has(b, topicId)
    return (a[topicId] ?? []).filter((partition) => !other.has(partition))
  })
}

/** Both, in ascending order. */
export function union(a: Assignment, b: Assignment): Assignment {
  return build(new Set([...Object.keys(a), ...Object.keys(b)]), (topicId) =>
    [...new Set([...(a[topicId] ?? []), ...(b[topicId] ?? [])])].sort((x, y) => x - y),
  )
}

export function isEmpty(assignment: Assignment): boolean {
  return Object.keys(assignment).length === 0
}

export function isSame(a: Assignment, b: Assignment): boolean {
  return isEmpty(without(a, b)) && isEmpty(without(b, a))
}

export function toList(assignment: Assignment): readonly TopicPartitions[] {
  return Object.entries(assignment).map(([topicId, partitions]) => ({ topicId, partitions }))
}

export function fromList(list: readonly TopicPartitions[]): Assignment {
  const all = new Map<string, Set<number>>()
  for (const { topicId, partitions } of list) {
    const own = all.get(topicId) ?? new Set<number>()
    for (const partition of partitions) own.add(partition)
    all.set(topicId, own)
  }
  return build(all.keys(), (topicId) => [...(all.get(topicId) ?? [])])
}

/** Whether a value read from a file is one. */
export function isAssignment(value: unknown): boolean {
  return (
    isRecord(value) && Object.values(value).every((each) => Array.isArray(each) && each.every(Number.isSafeInteger))
  )
}
