import type { Admin, KafkaMessage } from '@taproom/kafkajs'
import { HttpProblem } from '@taproom/service'
import type { RecordView } from '../api/kafka.ts'
import type { OffsetRange } from './record-counter.ts'
import { byTime, recordView } from './record-view.ts'
import { type Offsets, offsetsOf } from './topics.ts'

/** Records to read: from an offset of one partition on, from a time on, or the newest. */
export interface WantedRecords {
  readonly topic: string
  readonly partition?: number | undefined
  readonly offset?: bigint | undefined
  /** Milliseconds since 1970. */
  readonly time?: number | undefined
  readonly limit: number
}

/** Bytes of all values, keys and headers in one answer; one record can always be read. */
export const MAX_BYTES: number = 4 * 1024 * 1024
/** Bytes of one partition in one answer of a broker: a topic of many partitions must not fill the memory. */
const MAX_PARTITION_BYTES = 1024 * 1024
const MAX_TOTAL_BYTES = 16 * 1024 * 1024
/** Records of transactions, and places where compaction took some away, make more reads necessary. */
const MAX_ROUNDS = 8

/** Reads committed records, without a group; sorted by time. */
export async function readRecords(admin: Admin, wanted: WantedRecords): Promise<RecordView[]> {
  const all = await offsetsOf(admin, wanted.topic)
  const offsets = chosenPartitions(all, wanted)
  if (wanted.offset !== undefined || wanted.time !== undefined) {
    const starts = await startsOf(admin, wanted, offsets)
    const found = await readViews(admin, wanted, starts)
    return bounded(found.sort(byTime).slice(0, wanted.limit))
  }
  return await readNewest(admin, wanted, offsets)
}

export function chosenPartitions(
  offsets: ReadonlyMap<number, Offsets>,
  { topic, partition }: Pick<WantedRecords, 'topic' | 'partition'>,
): ReadonlyMap<number, Offsets> {
  if (partition === undefined) return offsets
  const found = offsets.get(partition)
  if (found !== undefined) return new Map([[partition, found]])
  throw new HttpProblem(404, {
    detail: `topic ${topic} has no partition ${partition}: expected 0 to ${offsets.size - 1}`,
  })
}

/** All that follows an offset or a time. */
export async function startsOf(
  admin: Admin,
  { topic, offset, time }: Pick<WantedRecords, 'topic' | 'offset' | 'time'>,
  offsets: ReadonlyMap<number, Offsets>,
): Promise<OffsetRange[]> {
  const byTimes = time === undefined ? [] : await admin.fetchTopicOffsetsByTimestamp(topic, time)
  const fromTime = new Map(byTimes.map((found) => [found.partition, BigInt(found.offset)]))
  return [...offsets].map(([partition, { low, high }]) => {
    const from = offset ?? fromTime.get(partition) ?? BigInt(high)
    return { partition, from: from < BigInt(low) ? BigInt(low) : from, to: BigInt(high) }
  })
}

/** The newest before the ends of these partitions, the last one at the end. Goes back step by step until there are enough. */
export async function readNewest(
  admin: Admin,
  wanted: WantedRecords,
  offsets: ReadonlyMap<number, Offsets>,
): Promise<RecordView[]> {
  let ends = new Map([...offsets].map(([partition, { high }]) => [partition, BigInt(high)]))
  let step = BigInt(wanted.limit)
  const found: RecordView[] = []
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const ranges = [...ends].flatMap(([partition, to]) => {
      const low = BigInt(offsets.get(partition)?.low ?? 0)
      const from = to - step > low ? to - step : low
      return from < to ? [{ partition, from, to }] : []
    })
    if (ranges.length === 0) break
    found.push(...(await readViews(admin, { ...wanted, limit: Number(step) }, ranges)))
    if (found.length >= wanted.limit) break
    ends = new Map(ranges.map(({ partition, from }) => [partition, from]))
    step *= 2n
  }
  return bounded(found.sort(byTime).slice(-wanted.limit).reverse()).reverse()
}

async function readViews(admin: Admin, { topic, limit }: WantedRecords, ranges: OffsetRange[]): Promise<RecordView[]> {
  const view = (partition: number, message: KafkaMessage) => recordView(topic, partition, message)
  const found = await readRanges(admin, { topic, limit, maxRounds: MAX_ROUNDS }, ranges, view)
  return [...found.values()].flat()
}

/** Calls `use` for each record, at most `limit` of each range, and returns the results by partition. */
export async function readRanges<T>(
  admin: Admin,
  { topic, limit, maxRounds }: { readonly topic: string; readonly limit: number; readonly maxRounds: number },
  ranges: readonly OffsetRange[],
  use: (partition: number, message: KafkaMessage) => T,
): Promise<ReadonlyMap<number, T[]>> {
  const found = new Map<number, T[]>(ranges.map(({ partition }) => [partition, []]))
  let open = ranges.filter(({ from, to }) => from < to)
  const maxBytes = Math.max(MAX_PARTITION_BYTES / 16, Math.min(MAX_PARTITION_BYTES, MAX_TOTAL_BYTES / ranges.length))
  for (let round = 0; round < maxRounds && open.length > 0; round += 1) {
    const answers = await admin.fetchRecords({
      topic,
      partitions: open.map(({ partition, from }) => ({ partition, offset: String(from) })),
      maxBytes: Math.floor(maxBytes),
      minBytes: 0,
    })
    let hasRead = false
    open = open.flatMap((range) => {
      const answer = answers.find(({ partition }) => partition === range.partition)
      const records = found.get(range.partition) ?? []
      for (const message of answer?.messages ?? []) {
        if (records.length === limit || BigInt(message.offset) >= range.to) break
        records.push(use(range.partition, message))
      }
      const from = BigInt(answer?.nextOffset ?? range.from)
      hasRead ||= from > range.from
      return records.length < limit && from < range.to ? [{ ...range, from }] : []
    })
    // The records of one partition may fill the whole answer. When none has more, a transaction is open.
    if (!hasRead) break
  }
  return found
}

/** The first ones that fit into an answer; at least one. */
export function bounded(records: readonly RecordView[]): RecordView[] {
  let bytes = 0
  const end = records.findIndex((record) => {
    bytes += sizeOf(record)
    return bytes > MAX_BYTES
  })
  return records.slice(0, end === -1 ? undefined : Math.max(1, end))
}

export function sizeOf({ key, value, headers }: RecordView): number {
  const texts = [key?.text, value?.text, ...headers.flatMap(({ name, value }) => [name, value?.text])]
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
}
