import { groupBy } from '../group-by.ts'
import type { TransactionOutcome } from '../records/control-batch.ts'
import { hasNumbers } from '../storage/shapes.ts'
import type { Change, StateStore } from '../storage/state-store.ts'
import type { CommittedOffset, PartitionOffset } from './committed-offset.ts'
import type { GroupLog } from './group-log.ts'

interface StagedOffset extends PartitionOffset {
  readonly producerId: number
  readonly groupId: string
}

const COMMITTED = 'offsets'
const STAGED = 'staged-offsets'
/** In all groups together, with the staged ones; each may have 4 KiB of metadata. */
const MAX_OFFSETS = 100_000

function committedChange(groupId: string, topic: string, partition: number, value: CommittedOffset | null): Change {
  return { table: COMMITTED, id: offsetId(groupId, topic, partition), value }
}

function isCommitted(id: string, value: unknown): boolean {
  return /^\[".*",".*",\d+\]$/.test(id) && isJson(id) && hasNumbers(value, 'offset', 'leaderEpoch')
}

function isStagedOffset(_id: string, value: unknown): boolean {
  return hasNumbers(value, 'offset', 'leaderEpoch', 'partition', 'producerId')
}

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined
  } catch {
    // Not JSON: refused.
    return false
  }
}

function offsetId(groupId: string, topic: string, partition: number): string {
  return JSON.stringify([groupId, topic, partition])
}

function stagedId(staged: StagedOffset): string {
  return JSON.stringify([staged.producerId, staged.groupId, staged.topic, staged.partition])
}

/** The committed offsets of all groups, and the staged ones, which wait for their transaction to end. */
export class OffsetStore {
  readonly #state: StateStore
  readonly #log: GroupLog
  readonly #committed = new Map<string, Map<string, Map<number, CommittedOffset>>>()
  readonly #staged = new Map<string, StagedOffset>()
  /** How many offsets are staged for a group's partition. */
  readonly #unstable = new Map<string, number>()

  constructor(state: StateStore, log: GroupLog) {
    this.#state = state
    this.#log = log
    for (const [id, value] of state.checkedTable<CommittedOffset>(COMMITTED, isCommitted)) {
      const [groupId, topic, partition] = JSON.parse(id) as [string, string, number]
      this.#partitionsOf(groupId, topic).set(partition, value)
    }
    for (const [id, value] of state.checkedTable<StagedOffset>(STAGED, isStagedOffset)) this.#setStaged(id, value)
  }

  /** Whether there is room for these; offsets that only replace others need none. */
  hasRoomFor(groupId: string, offsets: readonly PartitionOffset[]): boolean {
    const fresh = offsets.filter(({ topic, partition }) => !this.find(groupId, topic, partition)).length
    return fresh === 0 || this.#state.table(COMMITTED).size + this.#staged.size + fresh <= MAX_OFFSETS
  }

  #setStaged(id: string, staged: StagedOffset): void {
    if (!this.#staged.has(id)) this.#countUnstable(staged, 1)
    this.#staged.set(id, staged)
  }

  #deleteStaged(id: string): void {
    const staged = this.#staged.get(id)
    if (staged) this.#countUnstable(staged, -1)
    this.#staged.delete(id)
  }

  #countUnstable({ groupId, topic, partition }: StagedOffset, change: number): void {
    const id = offsetId(groupId, topic, partition)
    const count = (this.#unstable.get(id) ?? 0) + change
    if (count > 0) this.#unstable.set(id, count)
    else this.#unstable.delete(id)
  }

  #partitionsOf(groupId: string, topic: string): Map<number, CommittedOffset> {
    const topics = this.#committed.get(groupId) ?? new Map<string, Map<number, CommittedOffset>>()
    this.#committed.set(groupId, topics)
    const partitions = topics.get(topic) ?? new Map<number, CommittedOffset>()
    topics.set(topic, partitions)
    return partitions
  }

  get groupIds(): readonly string[] {
    return [...this.#committed.keys()]
  }

  get groupCount(): number {
    return this.#committed.size
  }

  has(groupId: string): boolean {
    return this.#committed.has(groupId)
  }

  find(groupId: string, topic: string, partition: number): CommittedOffset | undefined {
    return this.#committed.get(groupId)?.get(topic)?.get(partition)
  }

  /** All partitions a group has committed, by topic. */
  topicsOf(groupId: string): readonly { readonly name: string; readonly partitions: readonly number[] }[] {
    const topics = this.#committed.get(groupId) ?? []
    return [...topics].map(([name, partitions]) => ({ name, partitions: [...partitions.keys()] }))
  }

  commit(groupId: string, offsets: readonly PartitionOffset[]): void {
    this.#log.committed(groupId, offsets)
    this.#state.write(offsets.map((each) => committedChange(groupId, each.topic, each.partition, committedOf(each))))
    for (const each of offsets) this.#partitionsOf(groupId, each.topic).set(each.partition, committedOf(each))
  }

  /** Keeps offsets apart until the producer's transaction ends. */
  stage(producerId: number, groupId: string, offsets: readonly PartitionOffset[]): void {
    const staged = offsets.map((each): StagedOffset => ({ ...each, producerId, groupId }))
    this.#state.write(staged.map((value) => ({ table: STAGED, id: stagedId(value), value })))
    for (const each of staged) this.#setStaged(stagedId(each), each)
  }

  isStaged(groupId: string, topic: string, partition: number): boolean {
    return this.#unstable.has(offsetId(groupId, topic, partition))
  }

  /** Commits or drops what a producer has staged. */
  settle(producerId: number, outcome: TransactionOutcome): void {
    const own = [...this.#staged.values()].filter((each) => each.producerId === producerId)
    const kept = outcome === 'commit' ? own : []
    for (const [groupId, offsets] of groupBy(kept, (each) => each.groupId)) this.#log.committed(groupId, offsets)
    this.#state.write([
      ...own.map((each) => ({ table: STAGED, id: stagedId(each), value: null })),
      ...kept.map((each) => committedChange(each.groupId, each.topic, each.partition, committedOf(each))),
    ])
    for (const each of own) this.#deleteStaged(stagedId(each))
    for (const each of kept) this.#partitionsOf(each.groupId, each.topic).set(each.partition, committedOf(each))
  }

  delete(groupId: string, topic: string, partitions: readonly number[]): void {
    const committed = this.#committed.get(groupId)?.get(topic)
    const found = partitions.filter((partition) => committed?.has(partition))
    this.#log.forgotten(groupId, topic, found)
    this.#state.write(found.map((partition) => committedChange(groupId, topic, partition, null)))
    for (const partition of found) committed?.delete(partition)
    if (committed?.size === 0) this.#committed.get(groupId)?.delete(topic)
    if (this.#committed.get(groupId)?.size !== 0) return
    this.#committed.delete(groupId)
    this.#log.gone(groupId)
  }

  /** For a log that may lack some of it. */
  logAll(): void {
    for (const [groupId, topics] of this.#committed) {
      const offsets = [...topics].flatMap(([topic, partitions]) =>
        [...partitions].map(([partition, committed]) => ({ ...committed, topic, partition })),
      )
      this.#log.committed(groupId, offsets)
    }
  }

  /** Moves offsets that are behind the end of their partition back to it; `endOf` is undefined where there is none. */
  moveBack(endOf: (topic: string, partition: number) => number | undefined): void {
    for (const [groupId, topics] of this.#committed) {
      const moved = [...topics].flatMap(([topic, partitions]) =>
        [...partitions].flatMap(([partition, committed]): PartitionOffset[] => {
          const end = endOf(topic, partition) ?? committed.offset
          return committed.offset > end ? [{ ...committed, topic, partition, offset: end }] : []
        }),
      )
      if (moved.length > 0) this.commit(groupId, moved)
    }
  }

  deleteGroup(groupId: string): void {
    for (const { name, partitions } of this.topicsOf(groupId)) this.delete(groupId, name, partitions)
  }

  /** For a topic that is gone: in all groups. */
  deleteTopic(topic: string): void {
    for (const groupId of this.groupIds) {
      this.delete(groupId, topic, [...(this.#committed.get(groupId)?.get(topic)?.keys() ?? [])])
    }
    const staged = [...this.#staged].filter(([, each]) => each.topic === topic)
    this.#state.write(staged.map(([id]) => ({ table: STAGED, id, value: null })))
    for (const [id] of staged) this.#deleteStaged(id)
  }
}

function committedOf({ offset, leaderEpoch, metadata }: PartitionOffset): CommittedOffset {
  return { offset, leaderEpoch, metadata }
}
