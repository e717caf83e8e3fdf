import { describe, expect, it } from 'vitest'
import { body, errorOf, json, required } from '../tests/parsing.ts'
import { attributeOf, EventError, parseEvent } from './index.ts'

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
}

describe('parseEvent, binary mode', () => {
  it('reads the required attributes, the content type and the bytes', () => {
    expect(parseEvent(json, body)).toEqual({
      specversion: '1.0',
      id: '1',
      source: '/curl',
      type: 'greeting',
      datacontenttype: 'application/json',
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
    const names = ['comexampleextension1', 'constructor', 'empty']
    expect(names.map((name) => attributeOf(event, name))).toEqual(['value', 'c', ''])
    expect(attributeOf(parseEvent(required, Buffer.alloc(0)), 'constructor')).toBeUndefined()
  })

  it('contract 2.7: data without a Content-Type is refused, also where CloudEvents would take it', () => {
    const missing = { code: 'EVENT_MISSING_ATTRIBUTE', attribute: 'datacontenttype', status: 400 }
    expect(errorOf(required)).toEqual(missing)
    expect(errorOf(required, Buffer.from([0]))).toEqual(missing)
  })

  it('takes an event that has no data, and so no content type', () => {
    const event = parseEvent(required, Buffer.alloc(0))
    expect(event).not.toHaveProperty('data')
    expect(event).not.toHaveProperty('datacontenttype')
  })

  it('decisions 1.52: a message without any CloudEvents attribute is no event', () => {
    expect(errorOf({ 'content-type': 'application/json' })).toEqual({
      code: 'EVENT_NOT_AN_EVENT',
      attribute: 'specversion',
      status: 400,
    })
  })

  it.each(['id', 'source', 'type', 'specversion'])('decisions 1.52: a missing %s is named', (attribute) => {
    expect(errorOf(without(json, `ce-${attribute}`))).toEqual({
      code: 'EVENT_MISSING_ATTRIBUTE',
      attribute,
      status: 400,
    })
  })

  it.each(['id', 'source', 'type', 'subject', 'dataschema', 'time'])('refuses an empty %s', (attribute) => {
    expect(errorOf({ ...json, [`ce-${attribute}`]: '' })).toMatchObject({ code: 'EVENT_INVALID_ATTRIBUTE', attribute })
  })

  it('reads a percent-encoded specversion', () => {
    expect(parseEvent({ ...json, 'ce-specversion': '%31.0' }, body).specversion).toBe('1.0')
  })

  it.each(['0.3', '19.0', '1.0.2', '1', '', ' 1.0'])('decisions 1.63: specversion %j is not 1.0', (specversion) => {
    expect(errorOf({ ...json, 'ce-specversion': specversion })).toMatchObject({
      code: 'EVENT_UNSUPPORTED_SPECVERSION',
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
          code: 'EVENT_INVALID_DATA',
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

  it.each([
    ['/a%20b', '/a%20b'],
    ['/gr%C3%BC%C3%9Fe', '/gr%C3%BC%C3%9Fe'],
    ['/100%25', '/100%25'],
    ['/a%2Fb', '/a/b'],
    ['/a%2520b', '/a%20b'],
    ['/a%0Ab', '/a%0Ab'],
    ['/a%C2%85', '/a%C2%85'],
    ['/a%FF', '/a%FF'],
  ])('decisions 1.80: the source %j is %j', (header, source) => {
    expect(parseEvent({ ...json, 'ce-source': header }, body).source).toBe(source)
  })

  it.each([
    ['gr\xfc\xdfe', 'grüße'],
    ['gr\xfc%41', 'grü%41'],
  ])('decisions 1.80: the subject %j, which is not UTF-8, is Latin-1: %j', (header, subject) => {
    expect(parseEvent({ ...json, 'ce-subject': header }, body).subject).toBe(subject)
  })

  it.each([
    ['dataschema', 'https://example.com/a%20b'],
    ['dataschema', 'urn:a%00'],
    ['subject', '50%be'],
    ['subject', 'a%1Bb'],
    ['subject', 'a%0D%0Ab'],
    ['subject', 'a%E2%80%28'],
    ['subject', '"open'],
    ['subject', '"a" b'],
    ['subject', '""'],
    ['ext', 'a%7F%20b'],
  ])('decisions 1.80: %s %j, which decoded would be none, is taken as it is', (attribute, header) => {
    expect(parseEvent({ ...json, [`ce-${attribute}`]: header }, body)[attribute]).toBe(header)
  })

  it.each([
    ['source', '/a b'],
    ['source', '/%zz'],
    ['source', '/gr\xc3\xbc'],
    ['dataschema', '/a%20b'],
    ['subject', '\xc2\x85'],
    ['subject', '\xc2\x85%20'],
    ['subject', '\x93Bier\x94'],
    ['source', '/gr\xfc'],
    ['source', '/gr\xc3\xbc'],
    ['ext', '\x7f'],
  ])('decisions 1.80: %s %j is refused', (attribute, header) => {
    expect(errorOf({ ...json, [`ce-${attribute}`]: header })).toMatchObject({
      code: 'EVENT_INVALID_ATTRIBUTE',
      attribute,
    })
  })

  it.each(['text/plain; charset="ü"', 'text/\u20ac', 'a/b;c="\u00e9"', 'application/json; a="\x7f"'])(
    'refuses the content type %j, which not every client can send on',
    (contentType) => {
      expect(errorOf({ ...json, 'content-type': contentType })).toMatchObject({
        code: 'EVENT_INVALID_ATTRIBUTE',
        attribute: 'datacontenttype',
      })
    },
  )

  it.each([500, 501, 100_000])('JSON data of %i levels is taken up to 500', (levels) => {
    const data = `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    if (levels <= 500) expect(parseEvent(json, Buffer.from(data)).data?.toString()).toBe(data)
    else expect(errorOf(json, data)).toEqual({ code: 'EVENT_INVALID_DATA', attribute: 'data', status: 400 })
  })

  it('takes JSON data of any number of values, of which none is built', () => {
    const data = Buffer.from(`{"a":[${'0,'.repeat(500_000)}0]}`)
    expect(parseEvent(json, data).data).toBe(data)
  })

  it.each(['yesterday', '2020-01-01', '2020-01-01T00:00:00', '2020-01-01 00:00:00Z', '2021-02-29T00:00:00Z'])(
    'decisions 1.52: an invalid time %j is refused',
    (time) => {
      expect(errorOf({ ...json, 'ce-time': time })).toMatchObject({
        code: 'EVENT_INVALID_ATTRIBUTE',
        attribute: 'time',
      })
    },
  )

  it.each(['my-ext', 'my_ext', 'Ext', 'ünï', '', 'data'])(
    'decisions 1.52: the attribute name %j is refused',
    (name) => {
      expect(errorOf({ ...json, [`ce-${name}`]: 'x' })).toMatchObject({
        code: 'EVENT_INVALID_ATTRIBUTE_NAME',
        attribute: name,
      })
    },
  )

  it('refuses a datacontenttype in a ce- header (HTTP binding 3.1.1)', () => {
    expect(errorOf({ ...json, 'ce-datacontenttype': 'text/plain' })).toMatchObject({ attribute: 'datacontenttype' })
  })

  it.each(['json', 'application/', 'a/b;', 'a/b; c', 'a b/c'])('refuses the content type %j', (contentType) => {
    expect(errorOf({ ...json, 'content-type': contentType })).toMatchObject({
      code: 'EVENT_INVALID_ATTRIBUTE',
      attribute: 'datacontenttype',
    })
  })

  it('refuses repeated headers when it is given the distinct ones', () => {
    expect(errorOf({ ...json, 'ce-id': ['1', '2'] })).toMatchObject({
      code: 'EVENT_REPEATED_ATTRIBUTE',
      attribute: 'id',
    })
    expect(errorOf({ ...json, 'content-type': ['application/json', 'text/plain'] })).toMatchObject({
      code: 'EVENT_REPEATED_ATTRIBUTE',
      attribute: 'datacontenttype',
    })
    expect(parseEvent({ ...json, 'ce-id': ['1'], 'content-type': ['application/json'] }, body).id).toBe('1')
  })
})
