import { randomInt } from 'node:crypto'
import { FetchSession, type FetchTopic } from './fetch-session.ts'

/** Of all sessions together. */
const MAX_PARTITIONS = 200_000
/** A session that was not used for so long gives way to any other, one that is so old to a larger one: as in Apache Kafka. */
const MIN_EVICTION_MS = 120_000

function countOf(topics: readonly FetchTopic[]): number {
  return topics.reduce((sum, { partitions }) => sum + partitions.length, 0)
}

export interface FetchSessionOptions {
  /** How many sessions there can be. */
  readonly slots: number
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The fetch sessions of all consumers, in memory. Where there is no room, clients get none and name all partitions each time. */
export class FetchSessions {
  /** The one that was used least recently is first. */
  readonly #sessions = new Map<number, FetchSession>()
  readonly #options: FetchSessionOptions

  constructor(options: FetchSessionOptions) {
    this.#options = options
  }

  find(id: number): FetchSession | undefined {
    return this.#sessions.get(id)
  }

  close(id: number): void {
    this.#sessions.delete(id)
  }

  /** Begins a session; undefined where there is no room. */
  open(topics: readonly FetchTopic[], usesTopicIds: boolean): FetchSession | undefined {
    const now = this.#options.now()
    const size = countOf(topics)
    if (!this.#makeRoom(size, now) || this.#partitionCount + size > MAX_PARTITIONS) return undefined
    const session = new FetchSession({ id: this.#newId(), usesTopicIds, now })
    session.update(topics, [])
    this.#sessions.set(session.id, session)
    return session
  }

  #newId(): number {
    for (;;) {
      const id = randomInt(1, 2_147_483_647)
      if (!this.#sessions.has(id)) return id
    }
  }

  get #partitionCount(): number {
    let count = 0
    for (const session of this.#sessions.values()) count += session.size
    return count
  }

  #makeRoom(size: number, now: number): boolean {
    if (this.#sessions.size < this.#options.slots) return true
    const [oldest] = this.#sessions.values()
    if (oldest && now - oldest.lastUsedAt > MIN_EVICTION_MS) return this.#sessions.delete(oldest.id)
    const evictable = [...this.#sessions.values()].filter(({ createdAt }) => now - createdAt > MIN_EVICTION_MS)
    const smallest = evictable.reduce<FetchSession | undefined>(
      (least, each) => (least && least.size <= each.size ? least : each),
      undefined,
    )
    return smallest !== undefined && smallest.size < size && this.#sessions.delete(smallest.id)
  }

  /** Goes on with the next request of a session; false, and the session is gone, where there is no room for its new partitions. */
  continue(session: FetchSession, topics: readonly FetchTopic[], forgotten: readonly FetchTopic<number>[]): boolean {
    this.#sessions.delete(session.id)
    const added = session.countNew(topics)
    if (added > 0 && this.#partitionCount + session.size + added > MAX_PARTITIONS) return false
    session.update(topics, forgotten)
    if (session.size === 0) return true
    session.advance()
    session.lastUsedAt = this.#options.now()
    this.#sessions.set(session.id, session)
    return true
  }
}
