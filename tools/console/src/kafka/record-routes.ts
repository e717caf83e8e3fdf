import { sendJson } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import { readJson } from '../http/body.ts'
import { optional, readFields, readQuery, TIME, text, texts, whole } from '../http/fields.ts'
import { sendLive, wantsLive } from '../http/live.ts'
import type { Asked, Routes } from '../http/route.ts'
import { followRecords } from './follow-records.ts'
import type { KafkaArea } from './kafka-area.ts'
import { OFFSET, PARTITION } from './kafka-fields.ts'
import { messageAt } from './message-at.ts'
import { produceRecord } from './produce-record.ts'
import { chosenPartitions, readRecords } from './read-records.ts'
import { recordView } from './record-view.ts'
import { PLACE_FIELD } from './search-place.ts'
import { searchRecords, type WantedSearch } from './search-records.ts'
import { offsetsOf } from './topics.ts'

const MAX_LIMIT = 500
const DEFAULT_LIMIT = 50
const MAX_SEARCH = 200
/** Further time for the last step of a search, which ends after the search's own time. */
const STEP_MS = 12_000
/** Kafka's own default limit of a record is 1 MiB. */
const MAX_TEXT = 1024 * 1024
const MAX_BODY_BYTES = 4 * 1024 * 1024
/** Live answers about records and searches, each with its own connections to Kafka. */
const MAX_READERS = 16

/** Null is a value, too: a tombstone, or a record without a key. */
const NULLABLE = {
  expected: `null or a text of at most ${MAX_TEXT} characters`,
  read: (value: unknown): { readonly value: string | null } | undefined =>
    value === null || (typeof value === 'string' && value.length <= MAX_TEXT) ? { value } : undefined,
}

/** @param area throws in a system without Kafka */
export function recordRoutes(area: () => KafkaArea): Routes {
  let readers = 0

  async function asReader(read: () => Promise<void>): Promise<void> {
    if (readers >= MAX_READERS) {
      throw new HttpProblem(429, {
        detail: `${MAX_READERS} searches and live answers with records are open: at most so many are allowed`,
      })
    }
    readers += 1
    try {
      await read()
    } finally {
      readers -= 1
    }
  }

  async function follow(asked: Asked): Promise<void> {
    const { partition, limit = DEFAULT_LIMIT } = readQuery(asked.query, {
      partition: optional(PARTITION),
      limit: optional(whole(1, MAX_LIMIT)),
    })
    const batches = followRecords(area().link, { topic: topicOf(asked), partition, limit }, asked.signal)
    // The first one comes before the answer begins, so that what is wrong has its status.
    const first = await batches.next()
    const live = sendLive(asked)
    if (!first.done) live.send(first.value)
    for await (const batch of batches) live.send(batch)
    live.end()
  }

  async function search({ response, signal }: Asked, wanted: Omit<WantedSearch, 'until'>): Promise<void> {
    const { link, searchMs } = area()
    await using own = link.another()
    const until = performance.now() + searchMs
    const found = await own.call((admin) => searchRecords(admin, { ...wanted, until }, signal), searchMs + STEP_MS)
    sendJson(response, 200, found)
  }

  return {
    async 'GET /api/kafka/topics/{topic}/records'(asked) {
      asked.response.setHeader('Vary', 'Accept')
      if (wantsLive(asked)) return asReader(() => follow(asked))
      const {
        text: searched,
        next,
        limit = DEFAULT_LIMIT,
        ...from
      } = readQuery(asked.query, {
        partition: optional(PARTITION),
        offset: optional(OFFSET),
        time: optional(TIME),
        limit: optional(whole(1, MAX_LIMIT)),
        text: optional(text({ max: MAX_SEARCH })),
        next: optional(PLACE_FIELD),
      })
      if (from.offset !== undefined && (from.partition === undefined || from.time !== undefined)) {
        throw new HttpProblem(400, { detail: 'offset needs a partition, and no time' })
      }
      if (next !== undefined && (searched === undefined || from.offset !== undefined || from.time !== undefined)) {
        throw new HttpProblem(400, { detail: 'next needs a text, and neither offset nor time' })
      }
      const wanted = { topic: topicOf(asked), ...from, limit }
      if (searched !== undefined) return asReader(() => search(asked, { ...wanted, text: searched, next }))
      sendJson(asked.response, 200, { items: await area().link.call((admin) => readRecords(admin, wanted)) })
    },
    async 'GET /api/kafka/topics/{topic}/partitions/{partition}/records/{offset}'(asked) {
      const { partition, offset } = readFields(
        { partition: asked.params['partition'], offset: asked.params['offset'] },
        { partition: PARTITION, offset: OFFSET },
      )
      const place = { topic: topicOf(asked), partition, offset: String(offset) }
      const message = await area().link.call((admin) => messageAt(admin, place))
      sendJson(asked.response, 200, recordView(place.topic, partition, message, Number.POSITIVE_INFINITY))
    },
    async 'POST /api/kafka/topics/{topic}/records'(asked) {
      const { value, key, ...given } = readFields(await readJson(asked, MAX_BODY_BYTES), {
        partition: optional(PARTITION),
        key: optional(NULLABLE),
        value: NULLABLE,
        headers: optional(texts({ max: MAX_TEXT, maxEntries: 100 })),
      })
      const topic = topicOf(asked)
      const record = await area().link.call(async (admin, session) => {
        chosenPartitions(await offsetsOf(admin, topic), { topic, ...given })
        return produceRecord(session, topic, { ...given, value: value.value, key: key?.value ?? null })
      })
      sendJson(asked.response, 200, record)
    },
  }
}

function topicOf({ params }: Asked): string {
  return params['topic'] ?? ''
}
