import type { Admin } from '@taproom/kafkajs'
import type { RecordCount } from '../api/kafka.ts'

/** More offsets than this are not read, but counted: they hold at most so many records. */
const MAX_READ = 1000n
const MAX_BYTES = 256 * 1024
const MAX_ROUNDS = 4
const MAX_KNOWN = 5000
/** Compaction takes records away, and other clients delete topics and create them again. */
const FORGET_MS = 60_000

/** The offsets of a partition from `from` up to, but not with, `to`. */
export interface OffsetRange {
  readonly partition: number
  readonly from: bigint
  readonly to: bigint
}

interface Known {
  /** The first offset that was not read yet. */
  readonly next: bigint
  /** How many records there are before it. */
  readonly records: number
  /** When the first of them was read. */
  readonly since: number
}

/**
 * Counts committed records between offsets. Markers of transactions, aborted records and what compaction took away have offsets too, so it
 * reads; it remembers for a minute what it has read.
 */
export class RecordCounter {
  readonly #known = new Map<string, Known>()
  readonly #now: () => number

  /** @param now milliseconds, for tests */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * The number of records in ranges of a topic, all together. It is exact unless a range has more than 1000 offsets that were not read
   * before, or time is up.
   *
   * @param until nothing is read after this time of `performance.now()`
   */
  async count(admin: Admin, topic: string, ranges: readonly OffsetRange[], until: number): Promise<RecordCount> {
    for (let round = 0; round < MAX_ROUNDS && performance.now() < until; round += 1) {
      const open = ranges.filter((range) => {
        const rest = range.to - this.#progress(topic, range).next
        return rest > 0n && rest <= MAX_READ
      })
      if (open.length === 0 || !(await this.#read(admin, topic, open))) break
    }
    const counts = ranges.map((range) => {
      const { next, records } = this.#progress(topic, range)
      return { count: records + Number(range.to - next), isExact: next === range.to }
    })
    return {
      count: counts.reduce((sum, { count }) => sum + count, 0),
      isExact: counts.every(({ isExact }) => isExact),
    }
  }

  /** For a topic that was deleted. */
  forget(topic: string): void {
    for (const key of this.#known.keys()) if (key.startsWith(`${topic} `)) this.#known.delete(key)
  }

  #progress(topic: string, { partition, from, to }: OffsetRange): Known {
    const known = this.#known.get(keyOf(topic, partition, from))
    const now = this.#now()
    // The topic was deleted and created again when it ends before what was read.
    const isTrue = known !== undefined && known.next <= to && now - known.since < FORGET_MS
    return isTrue ? known : { next: from, records: 0, since: now }
  }

  /** False when nothing was read, as behind the begin of an open transaction. */
  async #read(admin: Admin, topic: string, ranges: readonly OffsetRange[]): Promise<boolean> {
    const partitions = ranges.map((range) => ({
      partition: range.partition,
      offset: String(this.#progress(topic, range).next),
    }))
    const answers = await admin.fetchRecords({ topic, partitions, maxBytes: MAX_BYTES, minBytes: 0, maxWaitTime: 0 })
    let hasRead = false
    for (const { partition, messages, nextOffset } of answers) {
      const range = ranges.find((one) => one.partition === partition)
      if (range === undefined) continue
      const { next, records, since } = this.#progress(topic, range)
      const end = BigInt(nextOffset) < range.to ? BigInt(nextOffset) : range.to
      if (end <= next) continue
      const own = messages.filter(({ offset }) => BigInt(offset) < range.to)
      const found = own.reduce((sum, { undecodable }) => sum + (undecodable?.records ?? 1), 0)
      this.#keep(keyOf(topic, partition, range.from), { next: end, records: records + found, since })
      hasRead = true
    }
    return hasRead
  }

  #keep(key: string, known: Known): void {
    this.#known.delete(key)
    this.#known.set(key, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest)
  }
}

/** A topic's name has no space in it. */
function keyOf(topic: string, partition: number, from: bigint): string {
  return `${topic} ${partition} ${from}`
}
