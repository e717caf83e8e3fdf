import type { PartitionTracker } from '../incoming/partition-tracker.ts'
import { Place, type PlaceSignals } from './place.ts'
import type { Reading } from './reading.ts'

interface PlacesOptions extends Pick<Reading<unknown>, 'kafka' | 'admin' | 'commits' | 'topic'> {
  readonly groupId: string
  readonly signals: PlaceSignals
}

/** The first and the next offset of each partition; index = partition. */
export interface Bounds {
  readonly begins: readonly string[]
  readonly ends: readonly string[]
}

interface Last {
  readonly next: bigint
  readonly tracker: PartitionTracker
  readonly stored: bigint | undefined
}

/** What is stored for a subscription, and where it was before that was read. */
export interface Found {
  readonly before: ReadonlyMap<number, Last>
  readonly stored: readonly (string | undefined)[]
}

/** Messages; a fraction of those that are read again for all at the start. */
const [NOT_FAR, FAR] = [5000, 10_000]
/** Kafka forgets the offsets of a group without members when they have not been stored for a week. */
const STORE_AGAIN_MS = 3600_000

/** Where a subscription is in each partition that is read here, and what is stored of it. */
export class Places {
  readonly #options: PlacesOptions
  readonly #places = new Map<number, Place>()
  /** Not the same for all: they would all be far at the same time, and store their offsets at once. */
  readonly #far = BigInt(Math.round(NOT_FAR + Math.random() * (FAR - NOT_FAR)))
  /** Messages that went by in partitions that are lost. */
  #unasked = 0
  /** All that is known is stored at first. */
  #storedAtMs = Number.NEGATIVE_INFINITY

  constructor(options: PlacesOptions) {
    this.#options = options
  }

  get(partition: number): Place | undefined {
    return this.#places.get(partition)
  }

  get unasked(): number {
    return this.#places.values().reduce((sum, place) => sum + place.unasked, this.#unasked)
  }

  /** Whether there is an offset to store, and none is, or it would take a while to read all again since the one that is. */
  get isFar(): boolean {
    return this.#places.values().some((place) => {
      const { tracker } = place.settled()
      const offset = tracker.pending()
      return offset !== undefined && (tracker.committed === undefined || offset - tracker.committed > this.#far)
    })
  }

  [Symbol.iterator](): Iterator<Place> {
    return this.#places.values()
  }

  /** What is stored, to be restored from once the bounds of the topic are known, too: read before those, it is within them. */
  async read(): Promise<Found> {
    const { admin, topic, groupId } = this.#options
    const before = new Map(
      [...this.#places].map(([partition, { next, tracker }]) => [
        partition,
        { next, tracker, stored: tracker.committed },
      ]),
    )
    return { before, stored: await admin.committedOffsets(groupId, topic) }
  }

  /** All partitions are lost but those that are here now; these are to be read by itself at first, from where they are in each. */
  restore(partitions: readonly number[], { before, stored }: Found, { begins, ends }: Bounds): void {
    for (const [partition, place] of this.#places) if (!partitions.includes(partition)) this.#lose(place)
    for (const partition of this.#options.signals.stopping.aborted ? [] : partitions) {
      const [begin, end] = [BigInt(begins[partition] ?? 0), BigInt(ends[partition] ?? 0)]
      const known = stored[partition] === undefined ? undefined : BigInt(stored[partition])
      // Beyond the end: the topic was created again, so earlier offsets are meaningless.
      const isKnown = known !== undefined && known <= end
      const place = this.#places.get(partition)
      const last = before.get(partition)
      if (place !== undefined && isKnown && last?.tracker === place.tracker && last.next <= end && isOwn(known, last))
        place.isBehind = true
      else {
        if (place !== undefined) this.#lose(place)
        this.#places.set(
          partition,
          new Place(partition, { stored: isKnown ? known : undefined, begin }, this.#options.signals),
        )
      }
    }
  }

  /** What is there no more is passed by: Kafka has deleted it by its age or size. */
  async skipDeleted(place: Place): Promise<void> {
    const { admin, topic } = this.#options
    const begin = BigInt((await admin.beginOffsets(topic))[place.partition] ?? 0)
    if (begin > place.next) place.skipTo(begin)
  }

  /** Stores the offsets that have changed, now and then all. False when Kafka could not: it is to be tried again. Never rejects. */
  async commit(): Promise<boolean> {
    const { commits, topic, groupId, kafka } = this.#options
    const isOld = performance.now() - this.#storedAtMs > STORE_AGAIN_MS
    const offsets: string[] = []
    const due = [...this.#places.values()].flatMap((place) => {
      const { partition, tracker } = place.settled()
      const offset = isOld ? tracker.position : tracker.pending()
      if (offset === undefined) return []
      offsets[partition] = String(offset)
      return [{ tracker, offset }]
    })
    if (due.length === 0) return true
    try {
      await commits.storeOffsets(groupId, topic, offsets)
    } catch (error) {
      kafka.log.debug({ groupId, err: error }, 'kafka offsets not stored')
      return false
    }
    if (isOld) this.#storedAtMs = performance.now()
    for (const { tracker, offset } of due) tracker.stored(offset)
    return true
  }

  loseAll(): void {
    for (const place of [...this.#places.values()]) this.#lose(place)
  }

  #lose(place: Place): void {
    place.lose()
    this.#unasked += place.unasked
    this.#places.delete(place.partition)
  }
}

/**
 * What is in flight stays valid where the stored offset is one that was stored here, perhaps without an answer: whatever another reader may
 * have handled since, is done here, too.
 */
function isOwn(known: bigint, { stored, tracker }: Last): boolean {
  return stored !== undefined && stored <= known && known <= (tracker.position ?? stored)
}
