import { sendJson } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import { readJson } from '../http/body.ts'
import { optional, readFields, readQuery, text, texts, whole } from '../http/fields.ts'
import { sendLive, wantsLive } from '../http/live.ts'
import type { Asked, Routes } from '../http/route.ts'
import { followRecords } from './follow-records.ts'
import { listGroups } from './groups.ts'
import type { KafkaArea } from './kafka-area.ts'
import { produceRecord } from './produce-record.ts'
import { chosenPartitions, readRecords } from './read-records.ts'
import { type ResetTarget, resetOffsets } from './reset-offsets.ts'
import { listTopics, offsetsOf } from './topics.ts'

const MAX_PARTITION = 2 ** 31 - 1
const MAX_LIMIT = 500
const DEFAULT_LIMIT = 50
/** Kafka's own default limit of a record is 1 MiB. */
const MAX_TEXT = 1024 * 1024
const MAX_BODY_BYTES = 4 * 1024 * 1024
const MAX_NAME = 249
/** Live answers about records, each with its own connections to Kafka. */
const MAX_TAILS = 16
const TIME = whole(0, 8_640_000_000_000_000)

const OFFSET = {
  expected: 'an offset: a whole number from 0',
  read: (value: unknown) => (typeof value === 'string' && /^\d{1,19}$/.test(value) ? BigInt(value) : undefined),
}

const TARGET = {
  expected: '"earliest", "latest", or a time in milliseconds since 1970',
  read: (value: unknown): ResetTarget | undefined =>
    value === 'earliest' || value === 'latest' ? value : TIME.read(value),
}

/** Null is a value, too: a tombstone, or a record without a key. */
const NULLABLE = {
  expected: `null or a text of at most ${MAX_TEXT} characters`,
  read: (value: unknown): { readonly value: string | null } | undefined =>
    value === null || (typeof value === 'string' && value.length <= MAX_TEXT) ? { value } : undefined,
}

/** Everything about Kafka; `kafka` is undefined in a system without. */
export function kafkaRoutes(kafka: KafkaArea | undefined): Routes {
  const link = () => {
    if (kafka !== undefined) return kafka.link
    throw new HttpProblem(404, { detail: 'this system has no Kafka' })
  }
  let tails = 0

  async function follow(asked: Asked): Promise<void> {
    const { partition, limit = DEFAULT_LIMIT } = readQuery(asked.query, {
      partition: optional(whole(0, MAX_PARTITION)),
      limit: optional(whole(1, MAX_LIMIT)),
    })
    if (tails >= MAX_TAILS) {
      throw new HttpProblem(429, { detail: `${MAX_TAILS} live answers about records are open already` })
    }
    tails += 1
    try {
      const batches = followRecords(link(), { topic: asked.params['topic'] ?? '', partition, limit }, asked.signal)
      // The first one comes before the answer begins, so that what is wrong has its status.
      const first = await batches.next()
      const live = sendLive(asked)
      if (!first.done) live.send(first.value)
      for await (const batch of batches) live.send(batch)
      live.end()
    } finally {
      tails -= 1
    }
  }

  return {
    async 'GET /api/kafka/topics'({ query, response }) {
      const { name } = readQuery(query, { name: optional(text({ max: MAX_NAME })) })
      sendJson(response, 200, await link().call((admin) => listTopics(admin, name)))
    },
    async 'GET /api/kafka/topics/{topic}/records'(asked) {
      asked.response.setHeader('Vary', 'Accept')
      if (wantsLive(asked)) return follow(asked)
      const { limit = DEFAULT_LIMIT, ...from } = readQuery(asked.query, {
        partition: optional(whole(0, MAX_PARTITION)),
        offset: optional(OFFSET),
        time: optional(TIME),
        limit: optional(whole(1, MAX_LIMIT)),
      })
      if (from.offset !== undefined && (from.partition === undefined || from.time !== undefined)) {
        throw new HttpProblem(400, { detail: 'offset needs a partition, and no time' })
      }
      const wanted = { topic: asked.params['topic'] ?? '', ...from, limit }
      const items = await link().call((admin) => readRecords(admin, wanted))
      sendJson(asked.response, 200, { items })
    },
    async 'POST /api/kafka/topics/{topic}/records'(asked) {
      const { value, key, ...given } = readFields(await readJson(asked, MAX_BODY_BYTES), {
        partition: optional(whole(0, MAX_PARTITION)),
        key: optional(NULLABLE),
        value: NULLABLE,
        headers: optional(texts({ max: MAX_TEXT, maxEntries: 100 })),
      })
      const { topic = '' } = asked.params
      const record = await link().call(async (admin, session) => {
        chosenPartitions(await offsetsOf(admin, topic), { topic, ...given })
        return produceRecord(session, topic, { ...given, value: value.value, key: key?.value ?? null })
      })
      sendJson(asked.response, 200, record)
    },
    async 'GET /api/kafka/groups'({ response }) {
      sendJson(response, 200, await link().call(listGroups))
    },
    async 'POST /api/kafka/groups/{group}/offsets'(asked) {
      const { topic, to } = readFields(await readJson(asked, MAX_BODY_BYTES), {
        topic: text({ min: 1, max: MAX_NAME }),
        to: TARGET,
      })
      const groupId = asked.params['group'] ?? ''
      sendJson(asked.response, 200, await link().call((admin) => resetOffsets(admin, { groupId, topic, to })))
    },
  }
}
