import { randomUUID } from 'node:crypto'
import { isJsonObject, type JsonObject } from '@taproom/core/limits'
import { EventError, parseEvent, toBinaryMode, toOriginalMessage } from '@taproom/events'
import { sendJson } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import type { CloudEventV1 } from 'cloudevents'
import { readJson } from '../http/body.ts'
import { type Field, oneOf, optional, readFields, readQuery, text, whole } from '../http/fields.ts'
import { sendNews, sendView } from '../http/live.ts'
import type { Asked, Routes } from '../http/route.ts'
import type { KafkaArea } from '../kafka/kafka-area.ts'
import { brokerOfTopic } from './broker-topic.ts'
import { newestStories } from './event-list.ts'
import type { EventingWatch } from './eventing-watch.ts'
import { type SendDeps, sendToBroker } from './send-event.ts'
import { storedEvent } from './stored-event.ts'

export interface EventDeps extends SendDeps {
  readonly eventing: EventingWatch
  /** Undefined in a system without Kafka. */
  readonly kafka: KafkaArea | undefined
}

const MODES = ['binary', 'structured'] as const
const STRUCTURED = { 'content-type': 'application/cloudevents+json; charset=utf-8' }

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 500
const MAX_NAME = 500
/** An event in structured mode has 1.5 MiB at most; what is more, a broker is to refuse itself. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

const BROKER: Field<string> = {
  expected: 'a broker: NAMESPACE/NAME',
  read: (value) => (typeof value === 'string' && /^[a-z\d-]{1,63}\/[a-z\d.-]{1,253}$/.test(value) ? value : undefined),
}
const EVENT: Field<JsonObject> = {
  expected: 'an event: a JSON object with source and type',
  read: (value) => (isJsonObject(value) ? value : undefined),
}
const OFFSET: Field<string> = {
  expected: 'an offset: the digits of a whole number, as a text',
  read: (value) => (typeof value === 'string' && /^\d{1,18}$/.test(value) ? value : undefined),
}

export function eventRoutes(deps: EventDeps): Routes {
  return {
    'GET /api/eventing': (asked) => sendView(asked, deps.eventing),
    'GET /api/events': (asked) => answerStories(asked, deps),
    async 'POST /api/events'(asked) {
      const { broker, mode, event } = readFields(await readJson(asked, MAX_BODY_BYTES), {
        broker: BROKER,
        mode: oneOf(MODES),
        event: EVENT,
      })
      sendJson(asked.response, 200, await sendToBroker(deps, { broker, ...messageOf(event, mode) }, asked.signal))
    },
    async 'POST /api/events/again'(asked) {
      const { broker, ...record } = readFields(await readJson(asked, MAX_BODY_BYTES), {
        topic: text({ min: 1, max: 249 }),
        partition: whole(0, 2 ** 31 - 1),
        offset: OFFSET,
        broker: optional(BROKER),
      })
      const origin = brokerOfTopic(record.topic)
      if (origin === undefined) {
        throw new HttpProblem(400, {
          detail: `topic is "${record.topic}": expected that of a broker, knative-broker.NAMESPACE.NAME`,
        })
      }
      if (deps.kafka === undefined) throw new HttpProblem(404, { detail: 'this system has no Kafka' })
      const event = await deps.kafka.link.call((admin) => storedEvent(admin, record))
      const message = { broker: broker ?? origin, ...toOriginalMessage(event) }
      sendJson(asked.response, 200, await sendToBroker(deps, message, asked.signal))
    },
  }
}

async function answerStories(asked: Asked, { traces }: EventDeps): Promise<void> {
  const { limit = DEFAULT_LIMIT, ...filter } = readQuery(asked.query, {
    limit: optional(whole(1, MAX_LIMIT)),
    id: optional(text({ max: MAX_NAME })),
    type: optional(text({ max: MAX_NAME })),
    trigger: optional(text({ max: MAX_NAME })),
  })
  const wanted = { limit, ...filter }
  await sendNews(asked, {
    version: () => traces.version,
    read: () => newestStories(traces, wanted),
    since: (version) => newestStories(traces, wanted, version),
  })
}

/**
 * An event in JSON as it goes over the wire; it gets an id and the version, if it has none. Structured mode sends whatever it is, so that
 * one sees what a broker says to it.
 *
 * @throws {HttpProblem} 400 for what binary mode cannot say, with the attribute that is wrong
 */
function messageOf(event: JsonObject, mode: (typeof MODES)[number]) {
  const body = Buffer.from(JSON.stringify({ specversion: '1.0', id: randomUUID(), ...event }))
  if (mode === 'structured') return { headers: STRUCTURED, body }
  return toBinaryMode(parsed(body))
}

function parsed(body: Buffer): CloudEventV1<Buffer> {
  try {
    return parseEvent(STRUCTURED, body)
  } catch (error) {
    if (!(error instanceof EventError)) throw error
    const { code, attribute } = error
    throw new HttpProblem(400, { detail: error.message, members: { code, attribute }, cause: error })
  }
}
