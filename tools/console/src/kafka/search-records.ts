import type { Admin, KafkaMessage } from '@taproom/kafkajs'
import type { FoundRecords, RecordView } from '../api/kafka.ts'
import { chosenPartitions, MAX_BYTES, readRanges, sizeOf, startsOf, type WantedRecords } from './read-records.ts'
import type { OffsetRange } from './record-counter.ts'
import { byTime, recordView } from './record-view.ts'
import { type SearchPlace, writePlace } from './search-place.ts'
import { type Offsets, offsetsOf } from './topics.ts'

export interface WantedSearch extends WantedRecords {
  /** A part of keys, values, or names and values of headers; upper and lower case are the same. */
  readonly text: string
  /** Where the search before has stopped. */
  readonly next?: ((offsets: ReadonlyMap<number, Offsets>) => SearchPlace) | undefined
  /** A time of `performance.now()`. */
  readonly until: number
}

/** How many records one search reads. */
const MAX_READ = 10_000
/** Offsets that are read at a time, of all partitions together, and of one at least. */
const STEP = 500
const MIN_STEP = 20

interface Read {
  readonly offset: bigint
  readonly time: number
  readonly match: RecordView | undefined
}

/**
 * Searches committed records, from the newest back, or from an offset or a time on. Stops at `limit` matches, 4 MiB of them, 10,000 records,
 * `until` or the abort of `signal`, and says how far it has read.
 *
 * @throws {HttpProblem} 404 for a topic or partition that is not there
 */
export async function searchRecords(admin: Admin, wanted: WantedSearch, signal: AbortSignal): Promise<FoundRecords> {
  const offsets = chosenPartitions(await offsetsOf(admin, wanted.topic), wanted)
  let place = await beginOf(admin, wanted, offsets)
  const result = new SearchResult(wanted.limit)
  while (place.rest.length > 0 && !result.isFull && performance.now() < wanted.until && !signal.aborted)
    place = await step(admin, wanted, place, result)
  return result.answer(place)
}

async function beginOf(
  admin: Admin,
  wanted: WantedSearch,
  offsets: ReadonlyMap<number, Offsets>,
): Promise<SearchPlace> {
  if (wanted.next !== undefined) return wanted.next(offsets)
  const isNewer = wanted.offset !== undefined || wanted.time !== undefined
  const ranges = await startsOf(admin, isNewer ? wanted : { ...wanted, offset: 0n }, offsets)
  return { direction: isNewer ? 'newer' : 'older', rest: ranges.filter(({ from, to }) => from < to) }
}

/** Reads some records of each partition, and takes them in the direction of the search. */
async function step(
  admin: Admin,
  { topic, text }: WantedSearch,
  { direction, rest }: SearchPlace,
  result: SearchResult,
): Promise<SearchPlace> {
  const size = BigInt(Math.max(MIN_STEP, Math.floor(STEP / rest.length)))
  const isOlder = direction === 'older'
  const ranges = rest.map(({ partition, from, to }) =>
    isOlder ? { partition, from: larger(from, to - size), to } : { partition, from, to: smaller(to, from + size) },
  )
  const matches = matcherOf(text)
  const wanted = { topic, limit: Number.POSITIVE_INFINITY, maxRounds: Number.POSITIVE_INFINITY }
  const read = await readRanges(
    admin,
    wanted,
    ranges,
    (partition, message): Read => ({
      offset: BigInt(message.offset),
      time: Number(message.timestamp),
      match: matches(message) ? recordView(topic, partition, message) : undefined,
    }),
  )
  const left = rest.map((all, index): OffsetRange => {
    const { from, to } = ranges[index] ?? all
    const own = read.get(all.partition) ?? []
    const stopped = (isOlder ? own.toReversed() : own).find((record) => !result.take(record))
    if (stopped === undefined) return isOlder ? { ...all, to: from } : { ...all, from: to }
    return isOlder ? { ...all, to: stopped.offset + 1n } : { ...all, from: stopped.offset }
  })
  return { direction, rest: left.filter(({ from, to }) => from < to) }
}

class SearchResult {
  readonly #limit: number
  readonly #items: RecordView[] = []
  #bytes = 0
  #read = 0
  #from = Number.POSITIVE_INFINITY
  #to = Number.NEGATIVE_INFINITY

  constructor(limit: number) {
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.#items.length >= this.#limit || this.#bytes >= MAX_BYTES || this.#read >= MAX_READ
  }

  /** False when it is full: the record is not read then. */
  take({ time, match }: Read): boolean {
    if (this.isFull) return false
    this.#read += 1
    this.#from = Math.min(this.#from, time)
    this.#to = Math.max(this.#to, time)
    if (match !== undefined) {
      this.#items.push(match)
      this.#bytes += sizeOf(match)
    }
    return true
  }

  answer(place: SearchPlace): FoundRecords {
    const next = writePlace(place)
    return {
      items: this.#items.sort(byTime),
      search: {
        read: this.#read,
        isComplete: place.rest.length === 0,
        ...(this.#read > 0 && { from: this.#from, to: this.#to }),
        ...(next !== undefined && { next }),
      },
    }
  }
}

function matcherOf(text: string): (message: KafkaMessage) => boolean {
  const wanted = text.toLowerCase()
  const has = (part: Buffer | string | null | undefined) => part?.toString().toLowerCase().includes(wanted) === true
  return ({ key, value, headers = {} }) =>
    has(key) || has(value) || Object.entries(headers).some(([name, values]) => has(name) || [values].flat().some(has))
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
