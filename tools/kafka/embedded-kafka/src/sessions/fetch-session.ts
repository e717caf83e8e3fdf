import { ZERO_UUID } from '../wire/primitives.ts'

/** A partition that a client reads, and from where. */
export interface FetchPartition {
  readonly index: number
  /** As the client knows it; -1: it does not. */
  readonly currentLeaderEpoch: number
  readonly fetchOffset: number
  readonly maxBytes: number
}

/** Partitions of a topic; it has an id where the client names topics by their ids, else {@link ZERO_UUID}. */
export interface FetchTopic<P = FetchPartition> {
  /** Empty for an id that was never known here. */
  readonly name: string
  readonly topicId: string
  readonly partitions: readonly P[]
}

/** What the answer says of a partition. */
export interface FetchedPartition {
  readonly index: number
  readonly errorCode: number
  readonly highWatermark: number
  readonly logStartOffset: number
  readonly records: Buffer
  /** Where the client is to read instead; -1: here. */
  readonly preferredReadReplica: number
}

interface Tracked {
  readonly topicId: string
  /** Remembered, to tell a topic that was created again from one that is gone. */
  name: string
  wanted: FetchPartition
  /** As the client knows them. */
  highWatermark: number
  logStartOffset: number
}

type TopicKey = Pick<FetchTopic, 'name' | 'topicId'>

function keyOf({ name, topicId }: TopicKey, index: number): string {
  return `${topicId === ZERO_UUID ? name : topicId}/${index}`
}

function isNews(tracked: Tracked, fetched: FetchedPartition): boolean {
  const { errorCode, highWatermark, logStartOffset, records, preferredReadReplica } = fetched
  const isMoved = highWatermark !== tracked.highWatermark || logStartOffset !== tracked.logStartOffset
  return records.length > 0 || errorCode !== 0 || preferredReadReplica >= 0 || isMoved
}

/** The partitions that one consumer reads, kept between its requests: a request then names only what is new (KIP-227). */
export class FetchSession {
  readonly id: number
  /** Clients that name topics by their ids and those that name them by their names cannot share a session. */
  readonly usesTopicIds: boolean
  /** Milliseconds since 1970. */
  readonly createdAt: number
  lastUsedAt: number
  /** Of the next request. */
  #epoch = 1
  /** In the order in which they are read. */
  readonly #partitions = new Map<string, Tracked>()

  constructor(options: { readonly id: number; readonly usesTopicIds: boolean; readonly now: number }) {
    this.id = options.id
    this.usesTopicIds = options.usesTopicIds
    this.createdAt = options.now
    this.lastUsedAt = options.now
  }

  get epoch(): number {
    return this.#epoch
  }

  get size(): number {
    return this.#partitions.size
  }

  advance(): void {
    this.#epoch = this.#epoch === 2_147_483_647 ? 1 : this.#epoch + 1
  }

  /** How many of these partitions it does not have yet. */
  countNew(topics: readonly FetchTopic[]): number {
    const keys = topics.flatMap((topic) => topic.partitions.map(({ index }) => keyOf(topic, index)))
    return keys.filter((key) => !this.#partitions.has(key)).length
  }

  update(topics: readonly FetchTopic[], forgotten: readonly FetchTopic<number>[]): void {
    for (const topic of forgotten) for (const index of topic.partitions) this.#partitions.delete(keyOf(topic, index))
    for (const { name, topicId, partitions } of topics) {
      for (const wanted of partitions) {
        const key = keyOf({ name, topicId }, wanted.index)
        const tracked = this.#partitions.get(key)
        if (tracked) tracked.wanted = wanted
        else this.#partitions.set(key, { topicId, name, wanted, highWatermark: -1, logStartOffset: -1 })
      }
    }
  }

  /** All its partitions in their order; `nameOf` finds names of topics that had none yet. */
  topics(nameOf: (topicId: string) => string | undefined): readonly FetchTopic[] {
    const topics: { name: string; topicId: string; partitions: FetchPartition[] }[] = []
    for (const tracked of this.#partitions.values()) {
      if (tracked.name === '') tracked.name = nameOf(tracked.topicId) ?? ''
      const { name, topicId, wanted } = tracked
      const last = topics.at(-1)
      if (last?.name === name && last.topicId === topicId) last.partitions.push(wanted)
      else topics.push({ name, topicId, partitions: [wanted] })
    }
    return topics
  }

  /** Of an answer what the client does not know yet. What has records is read last the next time, so that all get their turn. */
  news<P extends FetchedPartition>(answer: readonly FetchTopic<P>[]): readonly FetchTopic<P>[] {
    return answer.flatMap((topic) => {
      const partitions = topic.partitions.filter((each) => this.#note(keyOf(topic, each.index), each))
      return partitions.length === 0 ? [] : { ...topic, partitions }
    })
  }

  #note(key: string, partition: FetchedPartition): boolean {
    const tracked = this.#partitions.get(key)
    if (!tracked) return true
    const isNew = isNews(tracked, partition)
    // After an error the partition is sent in any case, as nobody knows what the client has made of it.
    tracked.highWatermark = partition.errorCode === 0 ? partition.highWatermark : -1
    tracked.logStartOffset = partition.logStartOffset
    if (partition.records.length > 0) {
      this.#partitions.delete(key)
      this.#partitions.set(key, tracked)
    }
    return isNew
  }
}
