import { elect, type Leadership } from '../cluster/leadership.ts'
import { Nodes } from '../cluster/nodes.ts'
import { placeReplicas } from '../cluster/place-replicas.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { checkTopicConfig, type TopicConfig } from '../settings/topic-settings.ts'
import type { CatalogOptions } from './catalog-options.ts'
import { CatchUp } from './catch-up.ts'
import { isInternalTopic, rulesOfCopy } from './internal-topics.ts'
import type { Partition } from './partition.ts'
import { PartitionRoom } from './partition-room.ts'
import { type PartitionId, PartitionStore } from './partition-store.ts'
import { StoredBytes } from './stored-bytes.ts'
import { isStoredTopic, type NewTopic, notHere, type StoredTopic, storedOf, type Topic } from './topic.ts'
import { TopicNames } from './topic-names.ts'
import { type TopicRules, topicRules } from './topic-rules.ts'
import { Upkeep } from './upkeep.ts'

const TOPICS = 'topics'

/** All topics of the cluster, and their partitions. Every change is durable. */
export class TopicCatalog {
  readonly #options: CatalogOptions
  readonly #topics = new Map<string, Topic>()
  readonly names = new TopicNames()
  readonly #removalListeners = new Set<(topic: Topic) => void>()
  readonly #upkeep: Upkeep
  readonly #stored: StoredBytes
  readonly #catchUp: CatchUp
  readonly #store: PartitionStore
  readonly #nodes: Nodes
  readonly #room: PartitionRoom

  constructor(options: CatalogOptions) {
    this.#options = options
    const { clock, cleanerBackoffMs, configs, nodes = new Nodes() } = options
    this.#nodes = nodes
    this.#room = new PartitionRoom(options)
    this.#upkeep = new Upkeep({
      topics: () => this.all,
      clock,
      cleanerBackoffMs: configs?.cleanerBackoffMs ?? cleanerBackoffMs,
    })
    const { maxStoredBytes: maxBytes, onMemoryFull: onFull } = options
    this.#stored = new StoredBytes({ maxBytes, all: () => this.all.flatMap(storedOf), onFull })
    this.#catchUp = new CatchUp((id) => nodes.isLive(id))
    this.#store = new PartitionStore({
      state: options.state,
      segments: options.segments,
      nodes,
      upkeep: this.#upkeep,
      isCompacted: (name) => this.#topics.get(name)?.rules.isCompacted ?? false,
      stored: this.#stored,
      onBehind: (replicas, nodeId) => this.#catchUp.expect(replicas, nodeId),
    })
    for (const [name, stored] of options.state.checkedTable<StoredTopic>(TOPICS, isStoredTopic))
      this.#open(name, stored)
    configs?.onChange(() => {
      this.#upkeep.cleanerBackoffMs = configs.cleanerBackoffMs ?? cleanerBackoffMs
      for (const topic of this.all) this.#apply(topic, topic.config)
    })
  }

  #open(name: string, stored: StoredTopic): Topic {
    const rules = this.#rulesOf(name, stored.config)
    const partitions = Array.from({ length: stored.partitions }, (_, index) =>
      this.#store.open({ name, topicId: stored.id, index }, rules),
    )
    this.#room.add(name, partitions.length)
    const topic = { name, id: stored.id, config: stored.config, rules, partitions }
    if (rules.isCompacted) this.#upkeep.expectCleaning()
    this.#topics.set(name, topic)
    this.names.add(topic)
    return topic
  }

  get all(): readonly Topic[] {
    return [...this.#topics.values()]
  }

  get partitions(): readonly Partition[] {
    return this.all.flatMap(({ partitions }) => partitions)
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
    if (!partition) throw notHere()
    return partition
  }

  /**
   * With `validateOnly` nothing is created.
   * @throws {ProtocolError} when a name, number of partitions or setting is wrong
   */
  create(
    name: string,
    { partitions: count, factor = this.#nodes.defaultFactor, assignments, config = {}, validateOnly }: NewTopic = {},
  ): Topic {
    const partitions = assignments?.length ?? count ?? this.#options.defaultPartitions
    this.names.check(name)
    if (partitions < 1)
      throw new ProtocolError(ErrorCode.INVALID_PARTITIONS, 'Number of partitions must be larger than 0.')
    this.#room.check(name, partitions, partitions)
    checkTopicConfig(config)
    const stored = { id: this.#options.newTopicId(), partitions, config }
    const replicas = assignments ?? this.#place(partitions, factor)
    if (validateOnly) return { name, id: stored.id, config, rules: this.#rulesOf(name, config), partitions: [] }
    this.#options.state.write([
      { table: TOPICS, id: name, value: stored },
      ...this.#store.firstLeaderships({ name, topicId: stored.id, index: 0 }, replicas),
    ])
    return this.#open(name, stored)
  }

  #place(partitions: number, factor: number): readonly (readonly number[])[] {
    return placeReplicas(this.#nodes.all, { partitions, factor, start: this.#room.count })
  }

  /** Adds partitions until there are `count`; there cannot be fewer than before. */
  grow(
    name: string,
    count: number,
    options: { readonly validateOnly: boolean; readonly assignments?: readonly (readonly number[])[] },
  ): void {
    const topic = this.#require(name)
    const missing = count - topic.partitions.length
    if (missing <= 0) {
      const has = `${topic.partitions.length} partition(s)`
      const less = `The topic ${name} currently has ${has}; ${count} would not be an increase.`
      throw new ProtocolError(ErrorCode.INVALID_PARTITIONS, missing === 0 ? `Topic already has ${has}.` : less)
    }
    this.#room.check(name, missing, count)
    const factor = topic.partitions[0]?.replicas.leadership.replicas.length ?? 1
    const replicas = options.assignments ?? this.#place(missing, factor)
    if (options.validateOnly) return
    const stored = { id: topic.id, partitions: count, config: topic.config }
    const first: PartitionId = { name, topicId: topic.id, index: topic.partitions.length }
    this.#options.state.write([
      { table: TOPICS, id: name, value: stored },
      ...this.#store.firstLeaderships(first, replicas),
    ])
    const added = Array.from({ length: missing }, (_, step) =>
      this.#store.open({ ...first, index: first.index + step }, topic.rules),
    )
    this.#room.add(name, missing)
    this.#topics.set(name, { ...topic, partitions: [...topic.partitions, ...added] })
    this.names.noteChange()
  }

  configure(name: string, config: TopicConfig): void {
    const topic = this.#require(name)
    const value: StoredTopic = { id: topic.id, partitions: topic.partitions.length, config }
    this.#options.state.write([{ table: TOPICS, id: name, value }])
    this.#apply(topic, config)
  }

  /** Puts settings to work, those of the brokers where the topic has none. */
  #apply(topic: Topic, config: TopicConfig): void {
    const rules = this.#rulesOf(topic.name, config)
    for (const partition of topic.partitions) partition.rules = rules
    this.#topics.set(topic.name, { ...topic, config, rules })
    if (rules.isCompacted) this.#upkeep.expectCleaning()
    if (rules.isUncleanElected) this.elect()
  }

  #rulesOf(name: string, config: TopicConfig): TopicRules {
    const rules = topicRules({ ...this.#options.configs?.topicDefaults, ...config }, this.#options.flush)
    return isInternalTopic(name) ? rulesOfCopy(rules) : rules
  }

  delete(name: string): void {
    const topic = this.#require(name)
    const saved = topic.partitions.flatMap(({ index }) => this.#store.forget({ name, topicId: topic.id, index }))
    this.#options.state.write([{ table: TOPICS, id: name, value: null }, ...saved])
    this.#topics.delete(name)
    this.names.delete(topic)
    this.#room.add(name, -topic.partitions.length)
    for (const listener of this.#removalListeners) listener(topic)
    for (const partition of topic.partitions) partition.replicas.remove()
  }

  /** Deletes the records before `offset`, where -1 is the end of the log. Returns the first offset that is left. */
  deleteRecords(name: string, index: number, offset: number): number {
    const partition = this.partition(name, index)
    const target = offset === -1 ? partition.highWatermark : offset
    if (target < 0 || target > partition.highWatermark) {
      throw new ProtocolError(ErrorCode.OFFSET_OUT_OF_RANGE, `offset ${offset} is not in the log`)
    }
    const topic = this.#require(name)
    if (!topic.rules.isDeleted) {
      throw new ProtocolError(ErrorCode.POLICY_VIOLATION, `Records of partition ${name}-${index} can not be deleted`)
    }
    if (target > partition.startOffset) {
      this.#store.saveStart({ name, topicId: topic.id, index }, target)
      partition.advanceStart(target)
    }
    return partition.startOffset
  }

  /** Changes where partitions are and who leads them, all at once; `change` gives what it gets where nothing is to change. */
  lead(change: (leadership: Leadership, rules: TopicRules) => Leadership): void {
    this.#store.lead(this.all, change)
  }

  /** Gives a leader to all partitions that have none and can have one. */
  elect(): void {
    this.lead((leadership, { isUncleanElected: unclean }) =>
      elect(leadership, (id) => this.#nodes.isLive(id), { unclean }),
    )
  }

  #require(name: string): Topic {
    const topic = this.#topics.get(name)
    if (!topic) throw notHere()
    return topic
  }

  /** Calls `listener` with every topic that is deleted from now on. */
  onRemoved(listener: (topic: Topic) => void): void {
    this.#removalListeners.add(listener)
  }

  close(): void {
    this.#upkeep.close()
    this.#catchUp.close()
    for (const { replicas } of this.partitions) replicas.close()
  }
}
