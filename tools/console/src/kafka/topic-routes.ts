import { sendJson } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import { readJson } from '../http/body.ts'
import { type Field, optional, readFields, readQuery, text, texts, whole } from '../http/fields.ts'
import type { Routes } from '../http/route.ts'
import { changeTopic, createTopic, deleteTopic, type TopicConfig } from './change-topics.ts'
import type { KafkaArea } from './kafka-area.ts'
import { MAX_NAME } from './kafka-fields.ts'
import { topicConfig } from './topic-config.ts'
import { listTopics } from './topics.ts'

const MAX_BODY_BYTES = 256 * 1024
const MAX_PARTITIONS = 10_000
const MAX_REPLICAS = 32_767
const MAX_ENTRIES = 100
const MAX_VALUE = 4096

const NAME: Field<string> = {
  expected: `1 to ${MAX_NAME} of the characters a-z, A-Z, 0-9, ".", "_" and "-"`,
  read: (value) => (typeof value === 'string' && /^[\w.-]{1,249}$/.test(value) ? value : undefined),
}

const CONFIG = texts({ max: MAX_VALUE, maxEntries: MAX_ENTRIES })

const CHANGED_CONFIG: Field<TopicConfig> = {
  expected: `${CONFIG.expected}, or null for the default`,
  read(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const entries: [string, unknown][] = Object.entries(value)
    const given = CONFIG.read(Object.fromEntries(entries.filter(([, each]) => each !== null)))
    return given === undefined || entries.length > MAX_ENTRIES ? undefined : (value as TopicConfig)
  },
}

/** @param area throws in a system without Kafka */
export function topicRoutes(area: () => KafkaArea): Routes {
  return {
    async 'GET /api/kafka/topics'({ query, response }) {
      const { name } = readQuery(query, { name: optional(text({ max: MAX_NAME })) })
      const { link, figures } = area()
      sendJson(response, 200, await link.call((admin) => listTopics(admin, figures(), name)))
    },
    async 'POST /api/kafka/topics'(asked) {
      const wanted = readFields(await readJson(asked, MAX_BODY_BYTES), {
        name: NAME,
        partitions: optional(whole(1, MAX_PARTITIONS)),
        replicationFactor: optional(whole(1, MAX_REPLICAS)),
        config: optional(CONFIG),
      })
      await area().link.call((admin) => createTopic(admin, wanted))
      asked.response.writeHead(204).end()
    },
    async 'PATCH /api/kafka/topics/{topic}'(asked) {
      const { topic = '' } = asked.params
      const changes = readFields(await readJson(asked, MAX_BODY_BYTES), {
        partitions: optional(whole(1, MAX_PARTITIONS)),
        config: optional(CHANGED_CONFIG),
      })
      if (changes.partitions === undefined && changes.config === undefined) {
        throw new HttpProblem(400, { detail: 'nothing to change: expected partitions, config or both' })
      }
      await area().link.call((admin) => changeTopic(admin, topic, changes))
      asked.response.writeHead(204).end()
    },
    async 'DELETE /api/kafka/topics/{topic}'({ params, response }) {
      const { topic = '' } = params
      const { link, counter } = area()
      await link.call((admin) => deleteTopic(admin, topic))
      counter.forget(topic)
      response.writeHead(204).end()
    },
    async 'GET /api/kafka/topics/{topic}/config'({ params, response }) {
      const { topic = '' } = params
      sendJson(response, 200, { items: await area().link.call((admin) => topicConfig(admin, topic)) })
    },
  }
}
