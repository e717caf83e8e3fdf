import type { CloudEventV1 } from 'cloudevents'
import { describe, expect, it } from 'vitest'
import { body, envelope, errorOf, json, required, structured } from '../tests/parsing.ts'
import { parseEvent, toBinaryMode, toStructuredMode } from './index.ts'

describe('batched mode', () => {
  const batched = { 'content-type': 'application/cloudevents-batch+json' }

  it('decisions 1.61: a batch is refused with a typed error', () => {
    expect(errorOf(batched, '[]')).toEqual({ code: 'EVENT_BATCH_NOT_SUPPORTED', attribute: 'data', status: 400 })
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
    expect(event).toMatchObject({ subject: 'Euro € 😀', ext: '100% "' })
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
    const event: CloudEventV1<Buffer> = {
      ...parseEvent(required, Buffer.alloc(0)),
      ...(contentType && { datacontenttype: contentType }),
      data,
    }
    const message = toStructuredMode(event)
    expect(parseEvent(message.headers, message.body ?? Buffer.alloc(0))).toEqual(event)
  })

  it('toBinaryMode names bytes of no type as such, because a message with data needs a type', () => {
    const event = parseEvent(structured, Buffer.from(JSON.stringify({ ...envelope, data_base64: 'AP8=' })))
    expect(event).not.toHaveProperty('datacontenttype')
    const { headers, body: data } = toBinaryMode(event)
    expect(headers['content-type']).toBe('application/octet-stream')
    expect(parseEvent(headers, data ?? Buffer.alloc(0)).data).toEqual(Buffer.from([0, 255]))
  })

  it('toStructuredMode embeds JSON as it is', () => {
    const event = parseEvent(json, Buffer.from('{"price":12.50}'))
    expect(toStructuredMode(event).body?.toString()).toMatch(/"data":\{"price":12\.50\}\}$/)
  })
})
