import { LIMITS } from '@taproom/core/limits'
import { describe, expect, it } from 'vitest'
import { envelope, required, structured } from '../tests/parsing.ts'
import { EventError, fromKafkaMessage, parseEvent, toBinaryMode } from './index.ts'

type Attributes = Readonly<Record<string, string | null>>

const none = Buffer.alloc(0)
/** Every way an event is read, given extensions beside the required attributes. */
const READERS: Readonly<Record<string, (extensions: Attributes) => unknown>> = {
  'binary mode': (extensions) => parseEvent({ ...required, ...prefixed('ce-', extensions) }, none),
  'structured mode': (extensions) =>
    parseEvent(structured, Buffer.from(JSON.stringify({ ...envelope, ...extensions }))),
  'a Kafka record': (extensions) =>
    fromKafkaMessage({ headers: { ...prefixed('ce_', envelope), ...prefixed('ce_', extensions) }, value: null }),
  'a structured Kafka record': (extensions) =>
    fromKafkaMessage({ headers: structured, value: Buffer.from(JSON.stringify({ ...envelope, ...extensions })) }),
}

function prefixed(prefix: string, attributes: Attributes): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [prefix + name, String(value)]))
}

function many(count: number, value: string | null = ''): Attributes {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]))
}

function errorOf(read: () => unknown): Pick<EventError, 'code' | 'status' | 'message'> {
  try {
    read()
  } catch (error) {
    if (!(error instanceof EventError)) throw error
    return { code: error.code, status: error.status, message: error.message }
  }
  throw new Error('taken')
}

/** Bytes that are left beside the required attributes, `ce-ext: ` and its line end. */
const LEFT =
  LIMITS.eventAttributeBytes -
  Object.entries(required).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0) -
  'ce-ext: \r\n'.length

describe.each(Object.entries(READERS))('limits of attributes in %s', (_mode, read) => {
  it('are 256 of them', () => {
    expect(() => read(many(LIMITS.eventAttributes - 4))).not.toThrow()
    expect(errorOf(() => read(many(LIMITS.eventAttributes - 3)))).toEqual({
      code: 'EVENT_TOO_MANY_ATTRIBUTES',
      status: 400,
      message: 'an event must not have more than 256 attributes',
    })
  })

  it('end the reading of many', () => {
    expect(errorOf(() => read(many(50_000, 'x')))).toMatchObject({ code: 'EVENT_TOO_MANY_ATTRIBUTES', status: 400 })
  })

  it.each([
    ['ASCII', 'x', 1],
    ['spaces', ' ', 3],
    ['two bytes', 'é', 6],
    ['three bytes', '€', 9],
    ['four bytes', '😀', 12],
    ['percent signs', '%', 3],
    ['quotes', '"', 3],
  ])('are 12 KiB of them as HTTP headers, in %s', (_case, character, encodedBytes) => {
    const isHeader = _mode === 'binary mode'
    const written = (text: string) => (isHeader ? encodeURIComponent(text) : text)
    const fitting = character.repeat(Math.floor(LEFT / encodedBytes))
    expect(() => read({ ext: written(fitting) })).not.toThrow()
    expect(errorOf(() => read({ ext: written(fitting + character) }))).toEqual({
      code: 'EVENT_ATTRIBUTES_TOO_LARGE',
      status: 400,
      message: 'the attributes of an event, percent-encoded, must not take more than 12288 bytes as HTTP headers',
    })
  })

  it('count names, too', () => {
    expect(errorOf(() => read({ [`x${'y'.repeat(LIMITS.eventAttributeBytes)}`]: '' }))).toMatchObject({
      code: 'EVENT_ATTRIBUTES_TOO_LARGE',
    })
  })

  it('leave room for what brokers add', () => {
    const added = {
      knativebrokerttl: '255',
      knativearrivaltime: '2026-01-01T00:00:00.000Z',
      knativeerrordest: 'http://subscriber.default.svc.cluster.local/'.padEnd(1024, 'x'),
      knativeerrorcode: '500',
      knativeerrordata: Buffer.alloc(1024).toString('base64'),
    }
    expect(() => read({ ext: 'x'.repeat(LEFT), ...added })).not.toThrow()
    expect(() => read({ ...many(LIMITS.eventAttributes - 4), ...added })).not.toThrow()
    const tooLong = { ext: 'x'.repeat(LEFT), knativeerrordest: 'x'.repeat(2000) }
    expect(errorOf(() => read(tooLong))).toMatchObject({ code: 'EVENT_ATTRIBUTES_TOO_LARGE' })
  })
})

describe('limits of attributes', () => {
  it('are kept by attributes that are null', () => {
    const read = () => READERS['structured mode']?.(many(50_000, null))
    expect(errorOf(read)).toMatchObject({ code: 'EVENT_TOO_MANY_ATTRIBUTES' })
  })

  it('let nothing through that does not fit into 16 KiB of headers', () => {
    const event = parseEvent(structured, Buffer.from(JSON.stringify({ ...envelope, ext: '€'.repeat(LEFT / 9) })))
    const lines = Object.entries(toBinaryMode(event).headers).map(([name, value]) => `${name}: ${value}\r\n`)
    expect(lines.join('').length).toBeLessThanOrEqual(LIMITS.eventAttributeBytes)
  })

  it('show no more than the start of a name, and nothing that writes to a terminal', () => {
    const name = `\u001b[2J\u2028\u009b${'x'.repeat(100_000)}`
    for (const json of [`{"${JSON.stringify(name).slice(1, -1)}":1}`, JSON.stringify({ [name]: {} })]) {
      const error = errorOf(() => parseEvent(structured, Buffer.from(json)))
      expect(error.code).toBe('EVENT_INVALID_ATTRIBUTE_NAME')
      expect(error.message).toMatch(/^attribute name "\\u001b\[2J\\u2028\\u009bx+\.\.\." must be of a-z and 0-9$/)
      expect(error.message.length).toBeLessThan(200)
    }
  })
})
