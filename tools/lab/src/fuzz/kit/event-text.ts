import type { Random } from '../../harness/random.ts'
import { jsonString, jsonValue, type KnownMembers, knownMembers, type Member, objectOf } from './json.ts'
import { inPlaces, JSON_SHAPES, MEMBER_SHAPES, type Pairs, type Shape, TEXT_SHAPES } from './shapes.ts'
import { hostileText, several, word } from './text.ts'

/** Content type of an event in structured mode. */
export const STRUCTURED = 'application/cloudevents+json'
/** The attributes that every event has. */
export const LEGAL: Pairs = Object.entries({ specversion: '1.0', id: '1', source: '/fuzz', type: 'greeting' })

const MEDIA_TYPES = [
  ...'application/json text/plain application/xml image/png text/x+json APPLICATION/JSON'.split(' '),
  ...[STRUCTURED, 'application/cloudevents-batch+json', 'application/cloudevents+xml'],
  ...['application/json; charset=utf-8', 'application/cloudevents+json; charset=utf-16'],
]
const ATTRIBUTES: KnownMembers = {
  specversion: ['"1.0"'],
  id: ['"1"', '"a-b-c"'],
  source: ['"/fuzz"', '"urn:fuzz"', '"https://example.org/a?b=c"'],
  type: ['"greeting"', '"aloha"'],
}
const OPTIONAL = [
  ...'subject time dataschema datacontenttype partitionkey'.split(' '),
  ...'traceparent knativebrokerttl data_base64'.split(' '),
]

/** The required attributes, mostly right ones, and their values as JSON. */
export function knownAttributes(random: Random): Member[] {
  return knownMembers(random, ATTRIBUTES)
}

/** The name of a further attribute. */
export function attributeName(random: Random): string {
  if (random.chance(0.3)) return random.pick(OPTIONAL)
  return random.chance(0.9) ? word(random, 20) : hostileText(random)
}

export function mediaType(random: Random): string {
  return random.chance(0.9) ? random.pick(MEDIA_TYPES) : `${random.pick(MEDIA_TYPES)};${hostileText(random)}`
}

/** The text of an event in structured mode, mostly a valid one. */
export function structuredEvent(random: Random): string {
  const members = knownAttributes(random)
  members.push(
    ...several(random, 5000, (): Member => {
      return [attributeName(random), random.chance(0.8) ? jsonString(random) : jsonValue(random, 2)]
    }),
  )
  if (random.chance(0.7)) members.push(['data', jsonValue(random)])
  if (random.chance(0.4)) members.push(['datacontenttype', JSON.stringify(mediaType(random))])
  return objectOf(members)
}

/** The text of a valid event with more members. */
function eventWith(...members: readonly Member[]): string {
  return objectOf([...quoted(LEGAL), ...members])
}

function quoted(pairs: Pairs): Member[] {
  return pairs.map(([name, value]) => [name, JSON.stringify(value)])
}

const textIn = (member: string) => (text: string) => eventWith([member, JSON.stringify(text)])

/** Texts of events in structured mode, each with a shape in one of the places that accept it. */
export const STRUCTURED_SHAPES: readonly Shape<string>[] = [
  ...inPlaces(JSON_SHAPES, {
    data: (json) => eventWith(['data', json]),
    attribute: (json) => eventWith(['x', json]),
    'as an event': (json) => json,
  }),
  ...inPlaces(TEXT_SHAPES, {
    x: textIn('x'),
    source: textIn('source'),
    time: textIn('time'),
    datacontenttype: textIn('datacontenttype'),
    data: textIn('data'),
    data_base64: textIn('data_base64'),
  }),
  ...inPlaces(MEMBER_SHAPES, { attributes: (pairs) => eventWith(...quoted(pairs)) }),
]
