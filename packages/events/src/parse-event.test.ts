import { describe, expect, it } from 'vitest'
import { EventError, type EventHeaders, parseEvent, parseEvents, toBinaryMode, toStructuredMode } from './index.ts'

const required = { 'ce-id': '1', 'ce-source': '/curl', 'ce-type': 'greeting', 'ce-specversion': '1.0' }
const json = { ...required, 'content-type': 'application/json' }
const body = Buffer.from('{"msg":"Aloha"}')
const structured = { 'content-type': 'application/cloudevents+json' }
const envelope = { specversion: '1.0', id: '1', source: '/curl', type: 'greeting' }

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
}

function errorOf(
  headers: EventHeaders,
  data: Buffer | string = body,
): Pick<EventError, 'code' | 'attribute' | 'status'> {
  try {
    parseEvent(headers, Buffer.from(data))
  } catch (error) {
    if (error instanceof EventError) return { code: error.code, attribute: error.attribute, status: error.status }
    throw error
  }
  throw new Error('parsed')
}

describe('parseEvent, binary mode', () => {
  it('reads the required attributes, the content type and the bytes', () => {
    expect(parseEvent(json, body)).toEqual({
      specversion: '1.0',
      id: '1',
      source: '/curl',
      type: 'greeting',
      datacontenttype: 'application/json',
      extensions: {},
      data: body,
    })
    expect(parseEvent(json, body).data).toBe(body)
  })

  it('reads every optional attribute and extensions, and ignores other headers', () => {
    const event = parseEvent(
      {
        ...json,
        host: 'localhost',
        'x-request-id': '7',
        'ce-subject': 'beer',
        'ce-time': '2020-02-29T23:59:60.123+01:00',
        'ce-dataschema': 'https://example.com/schema#beer',
        'ce-comexampleextension1': 'value',
        'ce-constructor': 'c',
        'ce-empty': '',
      },
      body,
    )
    expect(event).toMatchObject({
      subject: 'beer',
      time: '2020-02-29T23:59:60.123+01:00',
      dataschema: 'https://example.com/schema#beer',
    })
    expect({ ...event.extensions }).toEqual({ comexampleextension1: 'value', constructor: 'c', empty: '' })
    expect(parseEvent(required, Buffer.alloc(0)).extensions['constructor']).toBeUndefined()
  })

  it('takes an event without content type and body', () => {
    expect(parseEvent(required, Buffer.alloc(0))).not.toHaveProperty('data')
  })

  it('decisions 1.52: a message without any CloudEvents attribute is no event', () => {
    expect(errorOf({ 'content-type': 'application/json' })).toEqual({
      code: 'not-an-event',
      attribute: 'specversion',
      status: 400,
    })
  })

  it.each(['id', 'source', 'type', 'specversion'])('decisions 1.52: a missing %s is named', (attribute) => {
    expect(errorOf(without(json, `ce-${attribute}`))).toEqual({ code: 'missing-attribute', attribute, status: 400 })
  })

  it.each(['id', 'source', 'type', 'subject', 'dataschema', 'time'])('refuses an empty %s', (attribute) => {
    expect(errorOf({ ...json, [`ce-${attribute}`]: '' })).toMatchObject({ code: 'invalid-attribute', attribute })
  })

  it.each(['0.3', '19.0', '1.0.2', '1', '', ' 1.0'])('decisions 1.63: specversion %j is not 1.0', (specversion) => {
    expect(errorOf({ ...json, 'ce-specversion': specversion })).toMatchObject({
      code: 'unsupported-specversion',
      attribute: 'specversion',
    })
  })

  it.each([
    'text/plain',
    'application/xml',
    'application/vnd.apache.thrift.binary',
    'application/vnd.example+json',
    'text/json',
  ])('decisions 1.64: any bytes are taken as %s', (contentType) => {
    const bytes = Buffer.from([0x5b, 0xff, 0x00, 0x0a])
    expect(parseEvent({ ...json, 'content-type': contentType }, bytes).data).toEqual(bytes)
  })

  it.each(['', '[]', '"text"', '1', 'null', '{', '{"a":1}x'])(
    'decisions 1.64: application/json must be a JSON object, not %j',
    (text) => {
      for (const contentType of ['application/json', 'Application/JSON ; charset=utf-8']) {
        expect(errorOf({ ...json, 'content-type': contentType }, text)).toEqual({
          code: 'invalid-data',
          attribute: 'data',
          status: 400,
        })
      }
    },
  )

  it('decisions 1.64: application/json must be UTF-8', () => {
    const latin1 = Buffer.from('{"a":"\xfc"}', 'latin1')
    expect(() => parseEvent(json, latin1)).toThrow(EventError)
  })

  it.each(['yesterday', '2020-01-01', '2020-01-01T00:00:00', '2020-01-01 00:00:00Z', '2021-02-29T00:00:00Z'])(
    'lead: an invalid time %j is refused',
    (time) => {
      expect(errorOf({ ...json, 'ce-time': time })).toMatchObject({ code: 'invalid-attribute', attribute: 'time' })
    },
  )

  it.each(['my-ext', 'my_ext', 'Ext', 'ünï', '', 'data'])('lead: the attribute name %j is refused', (name) => {
    expect(errorOf({ ...json, [`ce-${name}`]: 'x' })).toMatchObject({ code: 'invalid-attribute-name', attribute: name })
  })

  it('refuses a datacontenttype in a ce- header (HTTP binding 3.1.1)', () => {
    expect(errorOf({ ...json, 'ce-datacontenttype': 'text/plain' })).toMatchObject({ attribute: 'datacontenttype' })
  })

  it.each(['json', 'application/', 'a/b;', 'a/b; c', 'a b/c'])('refuses the content type %j', (contentType) => {
    expect(errorOf({ ...json, 'content-type': contentType })).toMatchObject({
      code: 'invalid-attribute',
      attribute: 'datacontenttype',
    })
  })

  it('refuses repeated headers when it is given the distinct ones', () => {
    expect(errorOf({ ...json, 'ce-id': ['1', '2'] })).toMatchObject({ code: 'repeated-attribute', attribute: 'id' })
    expect(errorOf({ ...json, 'content-type': ['application/json', 'text/plain'] })).toMatchObject({
      code: 'repeated-attribute',
      attribute: 'datacontenttype',
    })
    expect(parseEvent({ ...json, 'ce-id': ['1'], 'content-type': ['application/json'] }, body).id).toBe('1')
  })
})

describe('parseEvent, structured mode', () => {
  const parse = (event: unknown) => parseEvent(structured, Buffer.from(JSON.stringify(event)))

  it('decisions 1.62: reads attributes, extensions and data', () => {
    const event = parse({ ...envelope, subject: null, number: -5, flag: true, text: 'ü', data: { msg: 'Aloha' } })
    expect({ ...event, extensions: { ...event.extensions } }).toEqual({
      ...envelope,
      datacontenttype: 'application/json',
      extensions: { number: '-5', flag: 'true', text: 'ü' },
      data: body,
    })
  })

  it.each(['application/cloudevents+json;charset=UTF-8', 'Application/CloudEvents+JSON ; charset="utf-8"'])(
    'library-traps 3: takes the content type %j',
    (contentType) => {
      expect(parseEvent({ 'content-type': contentType }, Buffer.from(JSON.stringify(envelope))).id).toBe('1')
    },
  )

  it('keeps JSON data exactly as it is written', () => {
    const written = '{ "price": 12.50, "big": 12345678901234567890,\n "a" : [ "}]", {"\\"": "\\\\"} ] }'
    const text = `{"data" : ${written} ,"specversion":"1.0","id":"1","source":"/curl","type":"greeting"}`
    expect(parseEvent(structured, Buffer.from(text)).data?.toString()).toBe(written)
  })

  it.each([
    ['a string of a JSON type stays a JSON string', { data: 'hi' }, '"hi"', 'application/json'],
    ['null is a payload', { data: null }, 'null', 'application/json'],
    [
      'a string of another type is the text itself',
      { data: '<a/>', datacontenttype: 'application/xml' },
      '<a/>',
      'application/xml',
    ],
    ['Base64 is decoded', { data_base64: 'AP8=', datacontenttype: 'image/png' }, '\u0000\ufffd', 'image/png'],
    ['a +json type is JSON', { data: [1], datacontenttype: 'a/b+json' }, '[1]', 'a/b+json'],
  ])('data: %s', (_case, members, text, datacontenttype) => {
    const event = parse({ ...envelope, ...members })
    expect(event.data?.toString()).toBe(text)
    expect(event.datacontenttype).toBe(datacontenttype)
  })

  it.each([
    ['no JSON', '{', { code: 'invalid-data', attribute: 'data' }],
    ['an array', '[]', { code: 'invalid-data', attribute: 'data' }],
    ['nothing', '', { code: 'invalid-data', attribute: 'data' }],
    [
      'no specversion',
      { ...envelope, specversion: undefined },
      { code: 'missing-attribute', attribute: 'specversion' },
    ],
    ['a null specversion', { ...envelope, specversion: null }, { code: 'missing-attribute', attribute: 'specversion' }],
    [
      'specversion 0.3',
      { ...envelope, specversion: '0.3' },
      { code: 'unsupported-specversion', attribute: 'specversion' },
    ],
    ['no id', { ...envelope, id: undefined }, { code: 'missing-attribute', attribute: 'id' }],
    ['a numeric id', { ...envelope, id: 1 }, { code: 'invalid-attribute', attribute: 'id' }],
    ['an invalid time', { ...envelope, time: 'now' }, { code: 'invalid-attribute', attribute: 'time' }],
    ['an object extension', { ...envelope, ext: {} }, { code: 'invalid-attribute', attribute: 'ext' }],
    ['a fraction', { ...envelope, ext: 1.5 }, { code: 'invalid-attribute', attribute: 'ext' }],
    ['an integer beyond 32 bit', { ...envelope, ext: 2 ** 31 }, { code: 'invalid-attribute', attribute: 'ext' }],
    ['an upper-case name', { ...envelope, Ext: 'x' }, { code: 'invalid-attribute-name', attribute: 'Ext' }],
    ['both kinds of data', { ...envelope, data: 1, data_base64: '' }, { code: 'invalid-data', attribute: 'data' }],
    ['broken Base64', { ...envelope, data_base64: 'A' }, { code: 'invalid-data', attribute: 'data_base64' }],
    [
      'an object as text',
      { ...envelope, data: {}, datacontenttype: 'text/plain' },
      { code: 'invalid-data', attribute: 'data' },
    ],
    [
      'a repeated member',
      `{"id":"2",${JSON.stringify(envelope).slice(1)}`,
      { code: 'repeated-attribute', attribute: 'id' },
    ],
    ['__proto__', `{"__proto__":{"id":"1"},${JSON.stringify(envelope).slice(1)}`, { attribute: '__proto__' }],
  ])('refuses %s', (_case, event, expected) => {
    const text = typeof event === 'string' ? event : JSON.stringify(event)
    expect(errorOf(structured, text)).toMatchObject({ ...expected, status: 400 })
  })

  it('refuses other encodings than UTF-8', () => {
    expect(errorOf({ 'content-type': 'application/cloudevents+json; charset=utf-16' }, '{}')).toMatchObject({
      code: 'invalid-data',
    })
    expect(() => parseEvent(structured, Buffer.from([0x7b, 0xff, 0x7d]))).toThrow(EventError)
  })

  it('refuses event formats other than JSON', () => {
    expect(errorOf({ 'content-type': 'application/cloudevents+avro' })).toMatchObject({ code: 'unsupported-format' })
    expect(errorOf({ 'content-type': 'application/cloudevents' })).toMatchObject({ code: 'unsupported-format' })
  })
})

describe('batched mode', () => {
  const batched = { 'content-type': 'application/cloudevents-batch+json' }
  const batch = Buffer.from(
    `[ ${JSON.stringify({ ...envelope, data: 1 })} ,${JSON.stringify({ ...envelope, id: '2' })} ]`,
  )

  it('decisions 1.61: a batch is refused with a typed error', () => {
    expect(errorOf(batched, '[]')).toEqual({ code: 'batch-not-supported', attribute: 'data', status: 400 })
  })

  it('parseEvents reads all events of a batch, or the one of another message', () => {
    expect(parseEvents(batched, batch).map(({ id, data }) => [id, data?.toString()])).toEqual([
      ['1', '1'],
      ['2', undefined],
    ])
    expect(parseEvents(batched, Buffer.from('[]'))).toEqual([])
    expect(parseEvents(json, body)).toHaveLength(1)
    expect(() => parseEvents(batched, Buffer.from('{}'))).toThrow('a batch must be a JSON array')
    expect(() => parseEvents(batched, Buffer.from('[1]'))).toThrow(EventError)
  })
})

describe('toBinaryMode and toStructuredMode', () => {
  const full = {
    ...json,
    'ce-subject': 'Euro%20%E2%82%AC%20%F0%9F%98%80',
    'ce-time': '2020-01-01T00:00:00Z',
    'ce-dataschema': 'urn:schema',
    'ce-ext': '100%25%20%22',
  }

  it('write what parseEvent reads', () => {
    const event = parseEvent(full, body)
    expect(event).toMatchObject({ subject: 'Euro € 😀', extensions: { ext: '100% "' } })
    expect(toBinaryMode(event)).toEqual({ headers: full, body })
    const message = toStructuredMode(event)
    expect(parseEvent(message.headers, message.body ?? Buffer.alloc(0))).toEqual(event)
  })

  it.each([
    ['JSON with white space around it', 'application/json', Buffer.from(' {"a":12.50}\n')],
    ['broken JSON', 'text/json', Buffer.from('{')],
    ['bytes', 'image/png', Buffer.from([0, 255, 10])],
    ['bytes of no type', undefined, Buffer.from('x')],
    ['text', 'text/plain; charset=iso-8859-1', Buffer.from([0xfc])],
  ])('toStructuredMode keeps the bytes of %s', (_case, contentType, data) => {
    const event = parseEvent({ ...required, ...(contentType && { 'content-type': contentType }) }, data)
    const message = toStructuredMode(event)
    expect(parseEvent(message.headers, message.body ?? Buffer.alloc(0))).toEqual(event)
  })

  it('toStructuredMode embeds JSON as it is', () => {
    const event = parseEvent(json, Buffer.from('{"price":12.50}'))
    expect(toStructuredMode(event).body?.toString()).toMatch(/"data":\{"price":12\.50\}\}$/)
  })
})
