import {
  CloudEventsError,
  fromKafkaMessage,
  parseEvent,
  toBinaryMode,
  toKafkaMessage,
  toOriginalMessage,
  toStructuredMode,
} from '@taproom/events'
import type { CloudEventV1 } from 'cloudevents'
import type { Random } from '../../harness/random.ts'
import {
  attributeName,
  knownAttributes,
  LEGAL,
  mediaType,
  STRUCTURED,
  STRUCTURED_SHAPES,
  structuredEvent,
} from '../kit/event-text.ts'
import { jsonString, jsonValue, perhapsBroken } from '../kit/json.ts'
import { inPlaces, JSON_SHAPES, MEMBER_SHAPES, type Pairs, type Shape, TEXT_SHAPES } from '../kit/shapes.ts'
import { anyUnicode, count, hostileText, mutateBytes, word } from '../kit/text.ts'
import type { ParserTarget, Probe } from './parser-target.ts'

type Headers = Record<string, string>

/** Events in all modes, Kafka records as events, and events written in all modes. */
export async function openEvents(): Promise<ParserTarget> {
  return {
    shapes: EVENT_SHAPES,
    input: (random) => random.pick([binaryProbe, binaryProbe, structuredProbe, structuredProbe, kafkaProbe])(random),
    isOwn: (error) => error instanceof CloudEventsError,
  }
}

function httpProbe(headers: Headers, body: Buffer | string): Probe {
  const bytes = Buffer.from(body as string)
  return {
    run: () => parseEvent(headers, bytes, { passesOn: true }),
    text: () => `${JSON.stringify(headers)}\n${bytes.toString('latin1')}`,
  }
}

function kafkaRecordProbe(headers: Headers, text: string | null): Probe {
  const value = text === null ? null : Buffer.from(text)
  return {
    run: () => fromKafkaMessage({ headers, value }),
    text: () => `${JSON.stringify(headers)}\n${value?.toString('latin1')}`,
  }
}

type Writer = (event: CloudEventV1<Buffer>) => unknown

const WRITERS: readonly Writer[] = [toBinaryMode, toStructuredMode, toKafkaMessage, toOriginalMessage]

/** An event written for a receiver. A refusal by the reader ends the input: others are about that. */
function writtenProbe(headers: Headers, body: Buffer | string, write: Writer): Probe {
  const { run, text } = httpProbe(headers, body)
  let event: CloudEventV1<Buffer>
  try {
    event = run() as CloudEventV1<Buffer>
  } catch {
    return { run: () => undefined, text: () => 'an event that is refused' }
  }
  return { run: () => write(event), text: () => `written ${write.name}: ${text()}` }
}

function readOrWritten(random: Random, headers: Headers, text: string): Probe {
  const body = Buffer.from(text)
  if (random.chance(0.3)) return writtenProbe(headers, body, random.pick(WRITERS))
  return httpProbe(headers, random.chance(0.1) ? mutateBytes(random, body) : body)
}

function binaryProbe(random: Random): Probe {
  const headers: Headers = {}
  for (const [name, json] of knownAttributes(random)) headers[`ce-${name.toLowerCase()}`] = headerValue(random, json)
  for (let left = count(random, 5000); left > 0; left -= 1) {
    headers[`ce-${attributeName(random)}`] = headerValue(random, jsonString(random))
  }
  if (random.chance(0.9)) headers['content-type'] = mediaType(random)
  return readOrWritten(random, headers, random.chance(0.1) ? '' : perhapsBroken(random, jsonValue(random)))
}

function structuredProbe(random: Random): Probe {
  const text = perhapsBroken(random, structuredEvent(random))
  const type = random.chance(0.95) ? STRUCTURED : `${STRUCTURED}; ${hostileText(random)}`
  return readOrWritten(random, { 'content-type': type }, text)
}

function kafkaProbe(random: Random): Probe {
  const headers: Headers = {}
  for (const [name, json] of knownAttributes(random)) headers[`ce_${name}`] = textOf(json)
  for (let left = count(random, 5000); left > 0; left -= 1) {
    const prefix = random.pick(['ce_', 'ce_', 'ce-'])
    headers[random.chance(0.8) ? prefix + word(random, 20) : hostileText(random)] = hostileText(random)
  }
  if (random.chance(0.7)) headers['content-type'] = mediaType(random)
  return kafkaRecordProbe(headers, random.chance(0.1) ? null : perhapsBroken(random, structuredEvent(random)))
}

/** Header values are Latin-1, as Node gives them, percent-encoded or not. */
function headerValue(random: Random, json: string): string {
  const text = textOf(json)
  if (random.chance(0.5)) return encodeURI(text.toWellFormed())
  return latin1(random.chance(0.1) ? anyUnicode(random, 8) : text)
}

/** The value of a JSON string; other JSON as its text. */
function textOf(json: string): string {
  const value: unknown = JSON.parse(json)
  return typeof value === 'string' ? value : json
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function prefixed(prefix: string, members: Pairs): Headers {
  return Object.fromEntries(members.map(([name, value]) => [prefix + name, latin1(value)]))
}

const IN_STRUCTURED_MODE = { 'content-type': STRUCTURED }
const BINARY = prefixed('ce-', LEGAL)
const RECORD = prefixed('ce_', LEGAL)

/** A body in each mode of writing. */
function written(name: string, headers: Headers): Readonly<Record<string, (body: string) => Probe>> {
  return Object.fromEntries(
    WRITERS.map((write) => [`${name}, ${write.name}`, (body: string) => writtenProbe(headers, body, write)]),
  )
}

const EVENT_SHAPES: readonly Shape<Probe>[] = [
  ...inPlaces(STRUCTURED_SHAPES, {
    structured: (body) => httpProbe(IN_STRUCTURED_MODE, body),
    'in a record': (body) => kafkaRecordProbe(IN_STRUCTURED_MODE, body),
    ...written('structured', IN_STRUCTURED_MODE),
  }),
  ...inPlaces(JSON_SHAPES, {
    binary: (json) => httpProbe({ ...BINARY, 'content-type': 'application/json' }, json),
    ...written('binary', { ...BINARY, 'content-type': 'application/json' }),
  }),
  ...['source', 'time', 'dataschema', 'x'].flatMap((name) =>
    inPlaces(TEXT_SHAPES, {
      [`header ${name}`]: (text) => httpProbe({ ...BINARY, [`ce-${name}`]: latin1(text) }, ''),
      [`record ${name}`]: (text) => kafkaRecordProbe({ ...RECORD, [`ce_${name}`]: text }, null),
    }),
  ),
  ...inPlaces(TEXT_SHAPES, {
    'content type': (text) => httpProbe({ ...BINARY, 'content-type': latin1(text) }, '1'),
    parameter: (text) => httpProbe({ 'content-type': `${STRUCTURED};${latin1(text)}` }, '1'),
  }),
  ...inPlaces(MEMBER_SHAPES, {
    binary: (pairs) => httpProbe({ ...BINARY, ...prefixed('ce-', pairs) }, ''),
    record: (pairs) => kafkaRecordProbe({ ...RECORD, ...prefixed('ce_', pairs) }, null),
  }),
]
