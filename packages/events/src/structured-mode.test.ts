import { LIMITS } from '@taproom/core/limits'
import { describe, expect, it } from 'vitest'
import { body, envelope, errorOf, structured } from '../tests/parsing.ts'
import { EventError, parseEvent, toStructuredMode } from './index.ts'

describe('parseEvent, structured mode', () => {
  const parse = (event: unknown) => parseEvent(structured, Buffer.from(JSON.stringify(event)))

  it('decisions 1.62: reads attributes, extensions and data', () => {
    const event = parse({ ...envelope, subject: null, number: -5, flag: true, text: 'ü', data: { msg: 'Aloha' } })
    expect(event).toEqual({
      ...envelope,
      datacontenttype: 'application/json',
      number: '-5',
      flag: 'true',
      text: 'ü',
      data: body,
    })
  })

  it.each(['application/cloudevents+json;charset=UTF-8', 'Application/CloudEvents+JSON ; charset="utf-8"'])(
    'decisions 1.62: takes the content type %j',
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
    ['no JSON', '{', { code: 'EVENT_INVALID_DATA', attribute: 'data' }],
    ['an array', '[]', { code: 'EVENT_INVALID_DATA', attribute: 'data' }],
    ['nothing', '', { code: 'EVENT_INVALID_DATA', attribute: 'data' }],
    [
      'no specversion',
      { ...envelope, specversion: undefined },
      { code: 'EVENT_MISSING_ATTRIBUTE', attribute: 'specversion' },
    ],
    [
      'a null specversion',
      { ...envelope, specversion: null },
      { code: 'EVENT_MISSING_ATTRIBUTE', attribute: 'specversion' },
    ],
    [
      'specversion 0.3',
      { ...envelope, specversion: '0.3' },
      { code: 'EVENT_UNSUPPORTED_SPECVERSION', attribute: 'specversion' },
    ],
    ['no id', { ...envelope, id: undefined }, { code: 'EVENT_MISSING_ATTRIBUTE', attribute: 'id' }],
    ['a numeric id', { ...envelope, id: 1 }, { code: 'EVENT_INVALID_ATTRIBUTE', attribute: 'id' }],
    ['an invalid time', { ...envelope, time: 'now' }, { code: 'EVENT_INVALID_ATTRIBUTE', attribute: 'time' }],
    ['an object extension', { ...envelope, ext: {} }, { code: 'EVENT_INVALID_ATTRIBUTE', attribute: 'ext' }],
    ['a fraction', { ...envelope, ext: 1.5 }, { code: 'EVENT_INVALID_ATTRIBUTE', attribute: 'ext' }],
    ['an integer beyond 32 bit', { ...envelope, ext: 2 ** 31 }, { code: 'EVENT_INVALID_ATTRIBUTE', attribute: 'ext' }],
    ['an upper-case name', { ...envelope, Ext: 'x' }, { code: 'EVENT_INVALID_ATTRIBUTE_NAME', attribute: 'Ext' }],
    [
      'both kinds of data',
      { ...envelope, data: 1, data_base64: '' },
      { code: 'EVENT_INVALID_DATA', attribute: 'data' },
    ],
    ['broken Base64', { ...envelope, data_base64: 'A' }, { code: 'EVENT_INVALID_DATA', attribute: 'data_base64' }],
    [
      'an object as text',
      { ...envelope, data: {}, datacontenttype: 'text/plain' },
      { code: 'EVENT_INVALID_DATA', attribute: 'data' },
    ],
    [
      'a repeated member',
      `{"id":"2",${JSON.stringify(envelope).slice(1)}`,
      { code: 'EVENT_REPEATED_ATTRIBUTE', attribute: 'id' },
    ],
    ['__proto__', `{"__proto__":{"id":"1"},${JSON.stringify(envelope).slice(1)}`, { attribute: '__proto__' }],
  ])('refuses %s', (_case, event, expected) => {
    const text = typeof event === 'string' ? event : JSON.stringify(event)
    expect(errorOf(structured, text)).toMatchObject({ ...expected, status: 400 })
  })

  it.each([
    ['a broken text after the attributes', '{"id":"1","source":"/x","type":"t","specversion":"1.0","data":{]'],
    ['a text after the end', `${JSON.stringify(envelope)}}`],
    ['a name in capital letters that is null', JSON.stringify({ ...envelope, Ext: null })],
    [
      'data nested deeper than 500',
      `{"data":${'['.repeat(501)}${']'.repeat(501)},${JSON.stringify(envelope).slice(1)}`,
    ],
    ['data nested without end', `{"data":${'['.repeat(1_000_000)}`],
    ['an unpaired surrogate', JSON.stringify({ ...envelope, ext: '\ud800' })],
    ['one in data', JSON.stringify({ ...envelope, datacontenttype: 'text/plain', data: '\ud800' })],
    ['Base64 with white space', JSON.stringify({ ...envelope, data_base64: 'AP8 =' })],
    ['Base64 with padding inside', JSON.stringify({ ...envelope, data_base64: 'AP8=AP8=' })],
    [
      'Base64 of a mebibyte and one wrong character',
      JSON.stringify({ ...envelope, data_base64: `${'A'.repeat(1_048_575)}-` }),
    ],
  ])('refuses %s', (_case, text) => {
    expect(errorOf(structured, text)).toMatchObject({ status: 400 })
  })

  it('takes data of 500 levels, as deep as it may be alone', () => {
    const data = `${'['.repeat(500)}${']'.repeat(500)}`
    const event = parseEvent(structured, Buffer.from(`{"data":${data},${JSON.stringify(envelope).slice(1)}`))
    expect(event.data?.toString()).toBe(data)
    const again = toStructuredMode(event)
    expect(parseEvent(again.headers, again.body ?? Buffer.alloc(0))).toEqual(event)
  })

  it('decisions 1.71: takes data of a mebibyte in Base64, and no more', () => {
    const message = (bytes: number) =>
      Buffer.from(JSON.stringify({ ...envelope, data_base64: Buffer.alloc(bytes, 255).toString('base64') }))
    expect(parseEvent(structured, message(LIMITS.eventDataBytes)).data).toHaveLength(LIMITS.eventDataBytes)
    expect(errorOf(structured, message(LIMITS.eventDataBytes + 1))).toEqual({
      code: 'EVENT_DATA_TOO_LARGE',
      attribute: 'data',
      status: 413,
    })
  })

  it('refuses other encodings than UTF-8', () => {
    expect(errorOf({ 'content-type': 'application/cloudevents+json; charset=utf-16' }, '{}')).toMatchObject({
      code: 'EVENT_INVALID_DATA',
    })
    expect(() => parseEvent(structured, Buffer.from([0x7b, 0xff, 0x7d]))).toThrow(EventError)
  })

  it('refuses event formats other than JSON', () => {
    expect(errorOf({ 'content-type': 'application/cloudevents+avro' })).toMatchObject({
      code: 'EVENT_UNSUPPORTED_FORMAT',
    })
    expect(errorOf({ 'content-type': 'application/cloudevents' })).toMatchObject({ code: 'EVENT_UNSUPPORTED_FORMAT' })
  })
})
