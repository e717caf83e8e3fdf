import type { CloudEventV1 } from 'cloudevents'
import fc from 'fast-check'

/** An event as posted, and as parsed. */
export interface PostedEvent {
  readonly headers: Record<string, string>
  readonly body: Buffer
  readonly event: CloudEventV1<Buffer>
}

const CORE = ['specversion', 'id', 'source', 'type', 'subject', 'time', 'dataschema', 'datacontenttype', 'data']

/** Characters most likely to go wrong. */
const piece = fc.constantFrom(
  '%',
  '%41',
  '%0A',
  '%C3%A9',
  '%zz',
  '"',
  '\\',
  '\\"',
  ' ',
  "'",
  ',',
  ';',
  '=',
  ':',
  '{"a":1}',
  'ü',
  '€',
  '😀',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\u202e',
  'é\u0301',
  '~',
  'a',
  'Z',
  '0',
)
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a String of CloudEvents cannot hold
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\ufdd0-\ufdef]|\p{Surrogate}|\p{Noncharacter_Code_Point}/gu
const text = fc
  .oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
  )
  .map((value) => value.replaceAll(FORBIDDEN, ''))
const nonEmpty = text.map((value) => value || 'x')
const inUrl = text.map((value) => encodeURIComponent(value).replaceAll("'", '%27'))
const uri = fc.oneof(
  // Not those of fast-check, which prepares for seconds to make one.
  fc
    .tuple(inUrl, inUrl, inUrl)
    .map(([path, query, fragment]) => `https://example.com:8080/${path}?${query}#${fragment}`),
  fc.constantFrom(
    'urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66',
    'mailto:a@b.c',
    'https://x/a%20b%25%2F',
    'a:%41%C3%A9',
  ),
)
const reference = fc.oneof(
  uri,
  fc.constantFrom('/', '/a%20b', '/100%25', '//[::1]:80/x?y#z', '?q', '#f', 'a/b:c', '%C3%BC'),
)
const time = fc.constantFrom('2018-04-05T17:31:00Z', '2018-04-05t17:31:00.123456789z', '2016-12-31T23:59:60-12:30')
const name = fc
  .oneof(
    fc.stringMatching(/^[a-z0-9]{1,24}$/),
    fc.constantFrom(
      'partitionkey',
      'traceparent',
      'constructor',
      'valueof',
      '0',
      'knativebrokerttl',
      'knativeerrordata',
    ),
  )
  .filter((word) => !CORE.includes(word))
const extensions = fc
  .uniqueArray(fc.tuple(name, text), { selector: ([word]) => word, maxLength: 12 })
  .map((all) => Object.fromEntries(all))

/** Parameters of a media type. */
const parameters = fc.constantFrom('', ';charset=utf-8', ' ; a="b\\"c;d" ; e=f', '; profile="https://x/y"')
const json = fc.oneof(
  fc.json(),
  fc.constantFrom(
    '[]',
    '[1,"}"]',
    '"text"',
    '12.50',
    'null',
    '{ "a" : 12.50, "a":1e400 }',
    ' {"a":1}\n',
    '{"\\u2028":"\u2028"}',
  ),
  fc.constantFrom('{}', '{"id":"inner","specversion":"1.0"}', `{"long":"${'x'.repeat(20_000)}"}`),
)

/** The data as it is posted: bytes, and in structured mode the member that holds them. */
interface Content {
  readonly type?: string
  readonly data?: Buffer
  readonly member?: string
}

const ofJson = fc.constantFrom(
  'application/json',
  'application/vnd.x+json',
  'Application/JSON',
  'application/cloudevents+json',
)
const ofText = fc.constantFrom(
  'text/plain',
  'application/xml',
  'application/cloudevents-batch+json',
  'application/cloudeventsx',
)
const base64 = (data: Buffer) => `"data_base64":"${data.toString('base64')}"`

const jsonContent = fc
  .tuple(ofJson, parameters, json, fc.boolean())
  .map(([type, parameter, value, asBase64]): Content => {
    const data = Buffer.from(value)
    return { type: type + parameter, data, member: asBase64 ? base64(data) : `"data":${value}` }
  })
const untypedJson = json.map((value): Content => {
  return { type: 'application/json', data: Buffer.from(value.trim()), member: `"data":${value}` }
})
const textContent = fc.tuple(ofText, text).map(([type, value]): Content => {
  const isJson = type.endsWith('json')
  return {
    type,
    data: Buffer.from(value),
    member: isJson ? base64(Buffer.from(value)) : `"data":${JSON.stringify(value)}`,
  }
})
const bytesContent = fc
  .tuple(fc.constantFrom('image/png', 'text/plain', undefined), parameters, fc.uint8Array({ maxLength: 200 }))
  .map(([type, parameter, bytes]): Content => {
    const data = Buffer.from(bytes)
    return { ...(type && { type: type + parameter }), data, member: base64(data) }
  })
const noContent = fc.constantFrom<Content>(
  {},
  { type: 'text/plain' },
  { type: 'application/json' },
  { member: '"data_base64":null' },
)
const content = fc.oneof(jsonContent, untypedJson, textContent, bytesContent, noContent)

const legalEvent = fc.record(
  { id: nonEmpty, source: reference, type: nonEmpty, subject: nonEmpty, time, dataschema: uri, extensions, content },
  { requiredKeys: ['id', 'source', 'type', 'extensions', 'content'] },
)

/** Legal events of every shape, in structured mode and, where it can say them, in binary mode as SDKs and as people write it. */
export const postedEvents: fc.Arbitrary<PostedEvent> = fc
  .tuple(legalEvent, fc.constantFrom('structured', 'percent', 'everything', 'raw'), fc.constantFrom('', ' ', '\n\t'))
  .map(
    ([
      {
        content: { type, data, member },
        extensions: added,
        ...attributes
      },
      style,
      space,
    ]) => {
      const event: CloudEventV1<Buffer> = {
        specversion: '1.0',
        ...attributes,
        ...(type !== undefined && { datacontenttype: type }),
        ...added,
        ...(data !== undefined && { data: member?.startsWith('"data":') ? trimmedJson(type, data) : data }),
      }
      if (style !== 'structured' && isBinary(event)) return { ...inBinaryMode(event, style), event }
      const members = Object.entries({ ...attributes, specversion: '1.0', ...added, datacontenttype: type })
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => `${JSON.stringify(key)}${space}:${space}${JSON.stringify(value)}`)
      const body = `{${space}${[...members, ...(member === undefined ? [] : [member])].join(`${space},`)}${space}}`
      return { headers: { 'content-type': 'application/cloudevents+json' }, body: Buffer.from(body), event }
    },
  )

/** White space around JSON in an envelope is the envelope's. */
function trimmedJson(type: string | undefined, data: Buffer): Buffer {
  return type !== undefined && /json/i.test(type)
    ? Buffer.from(data.toString().replaceAll(/^[ \n\r\t]+|[ \n\r\t]+$/g, ''))
    : data
}

function isBinary({ datacontenttype, data }: CloudEventV1<Buffer>): boolean {
  if (data?.length === 0 || (data !== undefined && datacontenttype === undefined)) return false
  if (datacontenttype?.startsWith('application/cloudevents')) return false
  return !/^application\/json/i.test(datacontenttype ?? '') || /^\s*\{/.test(data?.toString() ?? '')
}

function inBinaryMode(event: CloudEventV1<Buffer>, style: string): Omit<PostedEvent, 'event'> {
  const { data = Buffer.alloc(0), datacontenttype, ...attributes } = event
  const headers = Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [`ce-${key}`, headerOf(String(value), style)]),
  )
  return { headers: { ...headers, ...(datacontenttype && { 'content-type': datacontenttype }) }, body: data }
}

function headerOf(value: string, style: string): string {
  const isItself = !/%[0-9A-Fa-f]{2}|^"|^\s|\s$|^\ufeff|^$/.test(value)
  if (style === 'raw' && isItself) return Buffer.from(value).toString('latin1')
  return style === 'everything'
    ? Buffer.from(value).toString('hex').replaceAll(/../g, '%$&')
    : encodeURIComponent(value).replaceAll("'", '%27')
}
