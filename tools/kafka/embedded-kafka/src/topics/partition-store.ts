import { firstLeadership, isLeadership, type Leadership, SOLE } from '../cluster/leadership.ts'
import type { Nodes } from '../cluster/nodes.ts'
import type { SegmentStore } from '../storage/byte-file.ts'
import type { Change, StateStore } from '../storage/state-store.ts'
import { Partition } from './partition.ts'
import { Replica } from './replica.ts'
import type { ReplicaSet } from './replica-set.ts'
import type { Room } from './stored-bytes.ts'
import type { Topic } from './topic.ts'
import type { TopicRules } from './topic-rules.ts'
import type { Upkeep } from './upkeep.ts'

export interface PartitionId {
  /** Of its topic, as is the id. */
  readonly name: string
  readonly topicId: string
  readonly index: number
}

const START_OFFSETS = 'start-offsets'
const CLEANED_OFFSETS = 'cleaned-offsets'
/** None for what the only broker leads. */
const LEADERSHIPS = 'leaderships'

function keyOf({ topicId, index }: PartitionId): string {
  return `${topicId}/${index}`
}

/** Each broker cleans its own copies. */
function cleanedKeyOf(id: PartitionId, nodeId: number): string {
  return nodeId === 1 ? keyOf(id) : `${keyOf(id)}/${nodeId}`
}

function isSole({ replicas, epoch }: Leadership): boolean {
  return replicas.length === 1 && replicas[0] === 1 && epoch === 0
}

export interface PartitionStoreOptions {
  readonly state: StateStore
  readonly segments: (nodeId: number, topicId: string, partition: number) => SegmentStore
  readonly nodes: Nodes
  readonly upkeep: Upkeep
  readonly isCompacted: (topic: string) => boolean
  readonly stored: Room
  readonly onBehind: (replicas: ReplicaSet, nodeId: number) => void
}

/** Opens partitions with what is saved about them. */
export class PartitionStore {
  readonly #options: PartitionStoreOptions

  constructor(options: PartitionStoreOptions) {
    this.#options = options
    options.state.checkedTable(LEADERSHIPS, (_id, value) => isLeadership(value))
  }

  open(id: PartitionId, rules: TopicRules): Partition {
    const { state, nodes, onBehind } = this.#options
    return new Partition({
      index: id.index,
      rules,
      leadership: state.table<Leadership>(LEADERSHIPS).get(keyOf(id)) ?? SOLE,
      isLive: (nodeId) => nodes.isLive(nodeId),
      openReplica: (nodeId, current) => this.#openReplica(id, nodeId, current),
      save: (leadership) => state.write(this.leadershipChange(id, leadership)),
      onBehind,
    })
  }

  #openReplica(id: PartitionId, nodeId: number, rules: TopicRules): Replica {
    const { state, segments, upkeep, isCompacted, stored } = this.#options
    const cleanedKey = cleanedKeyOf(id, nodeId)
    return new Replica({
      store: segments(nodeId, id.topicId, id.index),
      limits: rules.log,
      startOffset: () => state.table<number>(START_OFFSETS).get(keyOf(id)) ?? 0,
      onExpiry: (time) => upkeep.expectExpiry(time),
      onRoll: () => {
        if (isCompacted(id.name)) upkeep.expectCleaning()
      },
      cleanedTo: state.table<number>(CLEANED_OFFSETS).get(cleanedKey) ?? 0,
      onCleaned: (value) => state.write([{ table: CLEANED_OFFSETS, id: cleanedKey, value }]),
      stored,
    })
  }

  /** What to write for another leadership; nothing for the one that needs no entry. */
  leadershipChange(id: PartitionId, leadership: Leadership): readonly Change[] {
    const isKnown = this.#options.state.table(LEADERSHIPS).has(keyOf(id))
    return isSole(leadership) && !isKnown ? [] : [{ table: LEADERSHIPS, id: keyOf(id), value: leadership }]
  }

  /** What to write for new partitions on these replicas, from the first one on. */
  firstLeaderships(first: PartitionId, assignments: readonly (readonly number[])[]): readonly Change[] {
    const { nodes } = this.#options
    return assignments.flatMap((replicas, step) => {
      const leadership = firstLeadership(replicas, (id) => nodes.isLive(id))
      return this.leadershipChange({ ...first, index: first.index + step }, leadership)
    })
  }

  /** Changes leaderships all at once; `change` gives what it gets where nothing is to change. */
  lead(topics: readonly Topic[], change: (leadership: Leadership, rules: TopicRules) => Leadership): void {
    const changed = topics.flatMap(({ name, id: topicId, rules, partitions }) =>
      partitions.flatMap(({ index, replicas }) => {
        const next = change(replicas.leadership, rules)
        return next === replicas.leadership ? [] : [{ id: { name, topicId, index }, replicas, next }]
      }),
    )
    this.#options.state.write(changed.flatMap(({ id, next }) => this.leadershipChange(id, next)))
    for (const { replicas, next } of changed) replicas.lead(next)
  }

  /** Offsets before it were deleted. */
  saveStart(id: PartitionId, value: number): void {
    this.#options.state.write([{ table: START_OFFSETS, id: keyOf(id), value }])
  }

  /** What to write when a partition is deleted. */
  forget(id: PartitionId): readonly Change[] {
    const { state, nodes } = this.#options
    const cleaned = nodes.all.map((node) => ({ table: CLEANED_OFFSETS, id: cleanedKeyOf(id, node.id) }))
    return [{ table: START_OFFSETS, id: keyOf(id) }, { table: LEADERSHIPS, id: keyOf(id) }, ...cleaned].flatMap(
      (entry) => (state.table(entry.table).has(entry.id) ? [{ ...entry, value: null }] : []),
    )
  }
}
