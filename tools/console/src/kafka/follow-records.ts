import { pause } from '@taproom/core/time'
import type { FetchedRecords } from '@taproom/kafkajs'
import { HttpProblem } from '@taproom/service'
import type { NewRecords, RecordView } from '../api/kafka.ts'
import type { KafkaLink } from './kafka-link.ts'
import { bounded, chosenPartitions, readNewest, type WantedRecords } from './read-records.ts'
import { byTime, recordView } from './record-view.ts'
import { offsetsOf } from './topics.ts'

/** The time between two reads: a person cannot read records faster. */
const PAUSE_MS = 200
const RETRY_MS = 1000
/** How long Kafka waits for a new record. */
const WAIT_MS = 5000
const MAX_ITEMS = 200
const MAX_BYTES = 1024 * 1024
/** Further behind than this, the records between are skipped. */
const MAX_BEHIND = 2000n

/**
 * The newest records, and then what is written from now on, as long as `signal` lets it; an outage of Kafka is waited for. The first batch
 * comes in any case.
 *
 * @throws {HttpProblem} 404 for a topic or partition that is not there, and 503 when Kafka is away at the beginning
 */
export async function* followRecords(
  shared: KafkaLink,
  wanted: Pick<WantedRecords, 'topic' | 'partition' | 'limit'>,
  signal: AbortSignal,
): AsyncGenerator<NewRecords, void, undefined> {
  await using link = shared.another()
  const { topic } = wanted
  const { offsets, items } = await link.call(async (admin) => {
    const offsets = chosenPartitions(await offsetsOf(admin, topic), wanted)
    return { offsets, items: await readNewest(admin, wanted, offsets) }
  })
  const next = new Map([...offsets].map(([partition, { high }]) => [partition, high]))
  signal.addEventListener('abort', () => link.cut(), { once: true })
  yield { items, skipped: 0 }
  while (!signal.aborted) {
    const partitions = [...next].map(([partition, offset]) => ({ partition, offset }))
    try {
      const answers = await link.call(
        (admin) => admin.fetchRecords({ topic, partitions, maxBytes: MAX_BYTES, maxWaitTime: WAIT_MS }),
        3 * WAIT_MS,
      )
      const news = newRecords(topic, answers, next)
      if (news.items.length > 0 || news.skipped > 0) yield news
      await pause(PAUSE_MS, signal)
    } catch (error) {
      if (!isOutage(error)) throw error
      await pause(RETRY_MS, signal)
    }
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof HttpProblem && error.status === 503
}

function newRecords(topic: string, answers: readonly FetchedRecords[], next: Map<number, string>): NewRecords {
  const found: RecordView[] = []
  let skipped = 0
  for (const { partition, messages, nextOffset, highWatermark } of answers) {
    for (const message of messages.slice(-MAX_ITEMS)) found.push(recordView(topic, partition, message))
    skipped += Math.max(0, messages.length - MAX_ITEMS)
    const behind = BigInt(highWatermark) - BigInt(nextOffset)
    const isFar = behind > MAX_BEHIND
    if (isFar) skipped += Number(behind)
    next.set(partition, isFar ? highWatermark : nextOffset)
  }
  const newest = found.sort(byTime).slice(-MAX_ITEMS)
  const items = bounded(newest.toReversed()).reverse()
  return { items, skipped: skipped + found.length - items.length }
}
