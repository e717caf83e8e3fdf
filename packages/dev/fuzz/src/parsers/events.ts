import {
  type CloudEvent,
  CloudEventsError,
  fromKafkaMessage,
  parseEvent,
  toBinaryMode,
  toKafkaMessage,
  toStructuredMode,
} from '@taproom/events'
import { jsonString, jsonValue, knownMembers, objectOf, perhapsBroken } from '../kit/json.ts'
import type { Random } from '../kit/random.ts'
import { JSON_SHAPES, MEMBER_SHAPES, TEXT_SHAPES } from '../kit/shapes.ts'
import { anyUnicode, count, hostileText, mutateBytes, word } from '../kit/text.ts'
import type { ParserTarget, Probe, ShapeProbe } from './parser-target.ts'

type Headers = Record<string, string>

const STRUCTURED = 'application/cloudevents+json'
const BATCH = 'application/cloudevents-batch+json'
const MEDIA_TYPES = [
  ...[
    'application/json',
    'text/plain',
    'application/json; charset=utf-8',
    'application/xml',
    'image/png',
    'text/x+json',
  ],
  ...[
    STRUCTURED,
    BATCH,
    'application/cloudevents+json; charset=utf-16',
    'application/cloudevents+xml',
    'APPLICATION/JSON',
  ],
]
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  specversion: ['1.0'],
  id: ['1', 'a-b-c'],
  source: ['/fuzz', 'urn:fuzz', 'https://example.org/a?b=c'],
  type: ['greeting', 'aloha'],
}
const OPTIONAL = [
  'subject',
  'time',
  'dataschema',
  'datacontenttype',
  'partitionkey',
  'traceparent',
  'knativebrokerttl',
  'data_base64',
]

/** Events in all modes, Kafka records as events, and events written in all modes. */
export async function openEvents(): Promise<ParserTarget> {
  return {
    shapes: [...jsonShapes(), ...textShapes(), ...memberShapes()],
    input: (random) => random.pick([binaryProbe, binaryProbe, structuredProbe, structuredProbe, kafkaProbe])(random),
    isOwn: (error) => error instanceof CloudEventsError,
  }
}

function httpProbe(headers: Headers, body: Buffer): Probe {
  return { run: () => parseEvent(headers, body), text: () => `${JSON.stringify(headers)}\n${body.toString('latin1')}` }
}

function kafkaRecordProbe(headers: Headers, value: Buffer | null): Probe {
  return {
    run: () => fromKafkaMessage({ headers, value }),
    text: () => `${JSON.stringify(headers)}\n${value?.toString('latin1')}`,
  }
}

/** An event written for a receiver. A refusal by the writer ends the input: others are about that. */
function writtenProbe(headers: Headers, body: Buffer, write: (event: CloudEvent) => unknown): Probe {
  let event: CloudEvent
  try {
    event = parseEvent(headers, body)
  } catch {
    return { run: () => undefined, text: () => 'an event that is refused' }
  }
  return {
    run: () => write(event),
    text: () => `written ${write.name}: ${JSON.stringify(headers)}\n${body.toString('latin1')}`,
  }
}

const WRITERS: readonly ((event: CloudEvent) => unknown)[] = [toBinaryMode, toStructuredMode, toKafkaMessage]

function binaryProbe(random: Random): Probe {
  const headers: Headers = {}
  for (const [name, json] of knownMembers(random, quoted(ATTRIBUTES)))
    headers[`ce-${name.toLowerCase()}`] = headerValue(random, json)
  for (let left = count(random, 5000); left > 0; left -= 1) {
    headers[`ce-${attributeName(random)}`] = headerValue(random, jsonString(random))
  }
  if (random.chance(0.9)) headers['content-type'] = mediaType(random)
  const body = random.chance(0.1) ? Buffer.alloc(0) : Buffer.from(perhapsBroken(random, jsonValue(random)))
  if (random.chance(0.3)) return writtenProbe(headers, body, random.pick(WRITERS))
  return httpProbe(headers, random.chance(0.1) ? mutateBytes(random, body) : body)
}

function structuredProbe(random: Random): Probe {
  const body = Buffer.from(perhapsBroken(random, structuredEvent(random)))
  const headers = { 'content-type': random.chance(0.95) ? STRUCTURED : `${STRUCTURED}; ${hostileText(random)}` }
  if (random.chance(0.3)) return writtenProbe(headers, body, random.pick(WRITERS))
  return httpProbe(headers, random.chance(0.1) ? mutateBytes(random, body) : body)
}

function kafkaProbe(random: Random): Probe {
  const headers: Headers = {}
  for (const [name, json] of knownMembers(random, quoted(ATTRIBUTES))) headers[`ce_${name}`] = textOf(json)
  for (let left = count(random, 5000); left > 0; left -= 1) {
    headers[random.chance(0.8) ? `ce_${word(random, 20)}` : hostileText(random)] = hostileText(random)
  }
  if (random.chance(0.7)) headers['content-type'] = mediaType(random)
  return kafkaRecordProbe(
    headers,
    random.chance(0.1) ? null : Buffer.from(perhapsBroken(random, structuredEvent(random))),
  )
}

/** The text of an event in structured mode, mostly a valid one. */
export function structuredEvent(random: Random): string {
  const members = knownMembers(random, quoted(ATTRIBUTES))
  for (let left = count(random, 5000); left > 0; left -= 1) {
    members.push([attributeName(random), random.chance(0.8) ? jsonString(random) : jsonValue(random, 2)])
  }
  if (random.chance(0.7)) members.push(['data', jsonValue(random)])
  if (random.chance(0.4)) members.push(['datacontenttype', JSON.stringify(mediaType(random))])
  return objectOf(members)
}

function attributeName(random: Random): string {
  if (random.chance(0.3)) return random.pick(OPTIONAL)
  return random.chance(0.9) ? word(random, 20) : hostileText(random)
}

function mediaType(random: Random): string {
  return random.chance(0.9) ? random.pick(MEDIA_TYPES) : `${random.pick(MEDIA_TYPES)};${hostileText(random)}`
}

/** Header values are Latin-1, as Node gives them, percent-encoded or not. */
function headerValue(random: Random, json: string): string {
  const text = textOf(json)
  if (random.chance(0.5)) return encodeURI(text.toWellFormed())
  return Buffer.from(random.chance(0.1) ? anyUnicode(random, 8) : text).toString('latin1')
}

/** The value of a JSON string; other JSON as its text. */
function textOf(json: string): string {
  const value: unknown = JSON.parse(json)
  return typeof value === 'string' ? value : json
}

function quoted(values: Readonly<Record<string, readonly string[]>>): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(values).map(([name, texts]) => [name, texts.map((text) => JSON.stringify(text))]),
  )
}

const LEGAL = { specversion: '1.0', id: '1', source: '/fuzz', type: 'greeting' }
const BINARY: Headers = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/fuzz', 'ce-type': 'greeting' }
const RECORD: Headers = { ce_specversion: '1.0', ce_id: '1', ce_source: '/fuzz', ce_type: 'greeting' }
const JSON_TYPE = { 'content-type': 'application/json' }

/** The text of a valid event with more members. */
function eventWith(members: readonly (readonly [name: string, json: string])[]): string {
  return objectOf([...Object.entries(LEGAL).map(([name, value]) => [name, JSON.stringify(value)] as const), ...members])
}

/** A shape in each place of an event that accepts it, and the event written in each mode. */
function inAllModes(name: string, structured: () => string): ShapeProbe[] {
  const body = () => Buffer.from(structured())
  return [
    { name: `${name}, structured`, make: () => httpProbe({ 'content-type': STRUCTURED }, body()) },
    { name: `${name}, in a record`, make: () => kafkaRecordProbe({ 'content-type': STRUCTURED }, body()) },
    ...WRITERS.map((write) => ({
      name: `${name}, ${write.name}`,
      make: () => writtenProbe({ 'content-type': STRUCTURED }, body(), write),
    })),
  ]
}

function jsonShapes(): ShapeProbe[] {
  return JSON_SHAPES.flatMap(({ name, make }) => [
    ...inAllModes(`data: ${name}`, () => eventWith([['data', make()]])),
    ...inAllModes(`attribute: ${name}`, () => eventWith([['x', make()]])),
    { name: `${name}, as an event`, make: () => httpProbe({ 'content-type': STRUCTURED }, Buffer.from(make())) },
    { name: `${name}, binary`, make: () => httpProbe({ ...BINARY, ...JSON_TYPE }, Buffer.from(make())) },
    ...WRITERS.map((write) => ({
      name: `${name}, binary, ${write.name}`,
      make: () => writtenProbe({ ...BINARY, ...JSON_TYPE }, Buffer.from(make()), write),
    })),
  ])
}

function textShapes(): ShapeProbe[] {
  return TEXT_SHAPES.flatMap(({ name, make }) => [
    ...['source', 'time', 'datacontenttype', 'x', 'data', 'data_base64'].flatMap((member) =>
      inAllModes(`${member}: ${name}`, () => eventWith([[member, JSON.stringify(make())]])),
    ),
    ...['source', 'time', 'dataschema', 'x'].flatMap((member) => [
      {
        name: `header ${member}: ${name}`,
        make: () => httpProbe({ ...BINARY, [`ce-${member}`]: latin1(make()) }, Buffer.alloc(0)),
      },
      {
        name: `record ${member}: ${name}`,
        make: () => kafkaRecordProbe({ ...RECORD, [`ce_${member}`]: make() }, null),
      },
    ]),
    {
      name: `content type: ${name}`,
      make: () => httpProbe({ ...BINARY, 'content-type': latin1(make()) }, Buffer.from('1')),
    },
    {
      name: `parameter: ${name}`,
      make: () => httpProbe({ 'content-type': `${STRUCTURED};${latin1(make())}` }, Buffer.from('1')),
    },
  ])
}

function memberShapes(): ShapeProbe[] {
  return MEMBER_SHAPES.flatMap(({ name, make }) => [
    ...inAllModes(name, () => eventWith(make().map(([member, value]) => [member, JSON.stringify(value)]))),
    { name: `${name}, binary`, make: () => httpProbe({ ...BINARY, ...prefixed('ce-', make()) }, Buffer.alloc(0)) },
    { name: `${name}, record`, make: () => kafkaRecordProbe({ ...RECORD, ...prefixed('ce_', make()) }, null) },
  ])
}

function prefixed(prefix: string, members: readonly (readonly [name: string, value: string])[]): Headers {
  return Object.fromEntries(members.map(([name, value]) => [prefix + name, latin1(value)]))
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}
