import type { Clock } from '../clock.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { checkTopicConfig, type TopicConfig } from '../settings/topic-settings.ts'
import type { SegmentStore } from '../storage/byte-file.ts'
import { hasNumbers, isRecord } from '../storage/shapes.ts'
import type { Change, StateStore } from '../storage/state-store.ts'
import { Partition } from './partition.ts'
import { type Stored, StoredBytes } from './stored-bytes.ts'
import { isTopicName, TopicNames } from './topic-names.ts'
import { type TopicRules, topicRules } from './topic-rules.ts'
import { Upkeep } from './upkeep.ts'

export interface Topic {
  readonly name: string
  /** 32 hexadecimal digits. */
  readonly id: string
  readonly config: TopicConfig
  /** What the settings mean. */
  readonly rules: TopicRules
  readonly partitions: readonly Partition[]
}

interface StoredTopic {
  readonly id: string
  readonly partitions: number
  readonly config: TopicConfig
}

export interface CatalogOptions {
  readonly state: StateStore
  readonly segments: (topicId: string, partition: number) => SegmentStore
  readonly newTopicId: () => string
  readonly defaultPartitions: number
  readonly maxPartitions: number
  /** How long the cleaner of compacted topics rests between two rounds. */
  readonly cleanerBackoffMs: number
  /** Of records, in all partitions together; beyond it the oldest are dropped. */
  readonly maxStoredBytes: number
  readonly clock: Clock
}

const TOPICS = 'topics'
const START_OFFSETS = 'start-offsets'
const CLEANED_OFFSETS = 'cleaned-offsets'
/** Partitions of one topic, which are all opened at once. */
export const MAX_PARTITIONS_OF_TOPIC = 200

/** The id has to be safe as the name of a folder. */
function isStoredTopic(name: string, stored: unknown): boolean {
  return (
    isTopicName(name) &&
    hasNumbers(stored, 'partitions') &&
    'id' in stored &&
    /^[0-9a-f]{32}$/.test(String(stored.id)) &&
    'config' in stored &&
    isRecord(stored.config) &&
    stored.partitions > 0 &&
    stored.partitions <= 1_000_000
  )
}

/** A topic that is compacted and never deleted keeps what it has: its records are a state, not a past. */
function storedOf({ rules, partitions }: Topic): readonly Stored[] {
  if (rules.isDeleted) return partitions
  return partitions.map(({ sizeInBytes }) => ({ sizeInBytes, dropOldest: () => false }))
}

/** In the tables of offsets. */
function partitionId(topicId: string, partition: number): string {
  return `${topicId}/${partition}`
}

/** All topics of the broker. Every change is durable. */
export class TopicCatalog {
  readonly #options: CatalogOptions
  readonly #topics = new Map<string, Topic>()
  readonly names = new TopicNames()
  readonly #removalListeners = new Set<(topic: Topic) => void>()
  readonly #upkeep: Upkeep
  readonly #stored: StoredBytes
  #partitionCount = 0

  constructor(options: CatalogOptions) {
    this.#options = options
    const { clock, cleanerBackoffMs } = options
    this.#upkeep = new Upkeep({ topics: () => this.all, clock, cleanerBackoffMs })
    this.#stored = new StoredBytes({ maxBytes: options.maxStoredBytes, all: () => this.all.flatMap(storedOf) })
    for (const [name, stored] of options.state.checkedTable<StoredTopic>(TOPICS, isStoredTopic))
      this.#open(name, stored)
  }

  #open(name: string, stored: StoredTopic): Topic {
    const partitions = Array.from({ length: stored.partitions }, (_, index) => this.#openPartition(name, stored, index))
    const rules = topicRules(stored.config)
    const topic = { name, id: stored.id, config: stored.config, rules, partitions }
    if (rules.isCompacted) this.#upkeep.expectCleaning()
    this.#topics.set(name, topic)
    this.names.add(topic)
    return topic
  }

  #openPartition(name: string, stored: StoredTopic, index: number): Partition {
    const { state } = this.#options
    const id = partitionId(stored.id, index)
    this.#partitionCount += 1
    return new Partition({
      index,
      store: this.#options.segments(stored.id, index),
      limits: topicRules(stored.config).log,
      startOffset: state.table<number>(START_OFFSETS).get(id) ?? 0,
      onExpiry: (time) => this.#upkeep.expectExpiry(time),
      onRoll: () => {
        if (this.#topics.get(name)?.rules.isCompacted) this.#upkeep.expectCleaning()
      },
      cleanedTo: state.table<number>(CLEANED_OFFSETS).get(id) ?? 0,
      onCleaned: (value) => state.write([{ table: CLEANED_OFFSETS, id, value }]),
      stored: this.#stored,
    })
  }

  get all(): readonly Topic[] {
    return [...this.#topics.values()]
  }

  find(name: string): Topic | undefined {
    return this.#topics.get(name)
  }

  findById(id: string): Topic | undefined {
    return this.#topics.get(this.names.withId(id) ?? '')
  }

  /** @throws {ProtocolError} UNKNOWN_TOPIC_OR_PARTITION when there is none */
  partition(name: string, index: number): Partition {
    const partition = this.#topics.get(name)?.partitions[index]
    if (!partition) {
      throw new ProtocolError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, `no partition ${index} of topic ${name}`)
    }
    return partition
  }

  /**
   * With `validateOnly` nothing is created.
   * @throws {ProtocolError} when a name, number of partitions or setting is wrong
   */
  create(
    name: string,
    options: { readonly partitions?: number; readonly config?: TopicConfig; readonly validateOnly?: boolean } = {},
  ): Topic {
    const { partitions = this.#options.defaultPartitions, config = {}, validateOnly = false } = options
    this.names.check(name)
    if (partitions < 1)
      throw new ProtocolError(ErrorCode.INVALID_PARTITIONS, 'Number of partitions must be larger than 0.')
    this.#checkRoom(partitions, partitions)
    checkTopicConfig(config)
    const stored = { id: this.#options.newTopicId(), partitions, config }
    if (validateOnly) return { name, id: stored.id, config, rules: topicRules(config), partitions: [] }
    this.#options.state.write([{ table: TOPICS, id: name, value: stored }])
    return this.#open(name, stored)
  }

  #checkRoom(more: number, ofTopic: number): void {
    const { maxPartitions } = this.#options
    if (ofTopic > MAX_PARTITIONS_OF_TOPIC) {
      const message = `a topic of this broker has at most ${MAX_PARTITIONS_OF_TOPIC} partitions`
      throw new ProtocolError(ErrorCode.POLICY_VIOLATION, message)
    }
    if (this.#partitionCount + more <= maxPartitions) return
    throw new ProtocolError(ErrorCode.POLICY_VIOLATION, `this broker holds at most ${maxPartitions} partitions`)
  }

  /** Adds partitions until there are `count`; there cannot be fewer than before. */
  grow(name: string, count: number, options: { readonly validateOnly: boolean }): void {
    const topic = this.#require(name)
    const missing = count - topic.partitions.length
    if (missing <= 0) {
      const current = topic.partitions.length
      throw new ProtocolError(
        ErrorCode.INVALID_PARTITIONS,
        `Topic currently has ${current} partitions, ${count} is not more.`,
      )
    }
    this.#checkRoom(missing, count)
    if (options.validateOnly) return
    const stored = { id: topic.id, partitions: count, config: topic.config }
    this.#options.state.write([{ table: TOPICS, id: name, value: stored }])
    const added = Array.from({ length: missing }, (_, i) =>
      this.#openPartition(name, stored, topic.partitions.length + i),
    )
    this.#topics.set(name, { ...topic, partitions: [...topic.partitions, ...added] })
    this.names.noteChange()
  }

  configure(name: string, config: TopicConfig): void {
    const topic = this.#require(name)
    const stored = { id: topic.id, partitions: topic.partitions.length, config }
    this.#options.state.write([{ table: TOPICS, id: name, value: stored }])
    const rules = topicRules(config)
    for (const partition of topic.partitions) partition.limits = rules.log
    this.#topics.set(name, { ...topic, config, rules })
    if (rules.isCompacted) this.#upkeep.expectCleaning()
  }

  delete(name: string): void {
    const topic = this.#require(name)
    const offsets: Change[] = topic.partitions.flatMap(({ index }) =>
      [START_OFFSETS, CLEANED_OFFSETS].map((table) => ({ table, id: partitionId(topic.id, index), value: null })),
    )
    this.#options.state.write([{ table: TOPICS, id: name, value: null }, ...offsets])
    this.#topics.delete(name)
    this.names.delete(topic)
    this.#partitionCount -= topic.partitions.length
    for (const listener of this.#removalListeners) listener(topic)
    for (const partition of topic.partitions) partition.remove()
  }

  /** Deletes the records before `offset`, where -1 is the end of the log. Returns the first offset that is left. */
  deleteRecords(name: string, index: number, offset: number): number {
    const partition = this.partition(name, index)
    const target = offset === -1 ? partition.endOffset : offset
    if (target < 0 || target > partition.endOffset) {
      throw new ProtocolError(ErrorCode.OFFSET_OUT_OF_RANGE, `offset ${offset} is not in the log`)
    }
    const topic = this.#require(name)
    if (!topic.rules.isDeleted) {
      const message = `Records of partition ${name}-${index} can not be deleted due to the configured policy`
      throw new ProtocolError(ErrorCode.POLICY_VIOLATION, message)
    }
    if (target > partition.startOffset) {
      const id = partitionId(topic.id, index)
      this.#options.state.write([{ table: START_OFFSETS, id, value: target }])
      partition.advanceStart(target)
    }
    return partition.startOffset
  }

  #require(name: string): Topic {
    const topic = this.#topics.get(name)
    if (!topic) throw new ProtocolError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, `no topic ${name}`)
    return topic
  }

  /** Calls `listener` with every topic that is deleted from now on. */
  onRemoved(listener: (topic: Topic) => void): void {
    this.#removalListeners.add(listener)
  }

  close(): void {
    this.#upkeep.close()
    for (const topic of this.#topics.values()) for (const partition of topic.partitions) partition.close()
  }
}
