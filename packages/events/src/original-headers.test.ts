import { LIMITS } from '@taproom/core/limits'
import type { CloudEventV1 } from 'cloudevents'
import { describe, expect, it } from 'vitest'
import { makeEvent } from '../tests/make-event.ts'
import { body, envelope, json, required, structured } from '../tests/parsing.ts'
import { fromKafkaMessage, parseEvent, toBinaryMode, toKafkaMessage, toMessage, toOriginalMessage } from './index.ts'
import { originalHeadersOf } from './original-headers.ts'
import { writeMessage } from './to-message.ts'

const none = Buffer.alloc(0)
const passedOn = (event: CloudEventV1<unknown>) => writeMessage(event, { otherHeaderBytes: 0, passesOn: true })
/** Filters, log lines and structured mode see these. */
const attributesIn = (event: CloudEventV1<unknown>) => Object.entries(event)
const stored = (event: CloudEventV1<unknown>) => fromKafkaMessage(toKafkaMessage(event))
const read = (headers: Record<string, string>, data: Buffer = body) =>
  parseEvent({ ...json, ...headers }, data, { passesOn: true })

/** An event of another producer, with these record headers beside the required ones. */
const record = (headers: Record<string, string>) =>
  fromKafkaMessage({ headers: { ...prefixed(envelope), ...headers }, value: null })
const prefixed = (attributes: Record<string, string>) =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`ce_${name}`, value]))

describe('decisions 3.171: headers of an event that is passed on', () => {
  it.each([
    ['ce-source', '/c%2Fd', '/c/d'],
    ['ce-source', '/a%20b', '/a%20b'],
    ['ce-id', '%C3%BC', 'ü'],
    ['ce-id', '\xc3\xbc%', 'ü%'],
    ['ce-subject', '"a \\"b"', 'a "b'],
    ['ce-specversion', '%31.0', '1.0'],
    ['ce-time', '2020-01-01T00%3A00:00Z', '2020-01-01T00:00:00Z'],
  ])('%s: %s go out as they came, also from Kafka, and the attribute is %s', (name, header, value) => {
    const event = read({ [name]: header })
    expect(event[name.slice(3)]).toBe(value)
    expect(attributesIn(stored(event))).toEqual(attributesIn(parseEvent({ ...json, [name]: header }, body)))
    for (const copy of [event, { ...event }, stored(event), stored({ ...event, knativebrokerttl: '255' })]) {
      for (const { headers } of [passedOn(copy), toMessage(copy), toBinaryMode(copy)])
        expect(headers[name]).toBe(header)
      expect(toOriginalMessage(copy).headers[name]).toBe(header)
    }
  })

  it('are those of the attribute that they gave, and of no other value', () => {
    const { subject: _, ...event } = read({ 'ce-source': '/c%2Fd', 'ce-subject': 'a%20b' })
    const { headers } = passedOn(stored({ ...event, source: '/changed' }))
    expect([headers['ce-source'], headers['ce-subject']]).toEqual(['/changed', undefined])
  })

  it('are stored only where the value does not say them', () => {
    expect(Object.keys(toKafkaMessage(read({ 'ce-subject': 'a%20b' })).headers)).toContain('ce-subject')
    expect(toKafkaMessage(read({}))).toEqual(toKafkaMessage(makeEvent({ source: '/curl' })))
    expect(originalHeadersOf(read({}))).toBeUndefined()
    expect(originalHeadersOf(parseEvent({ ...json, 'ce-subject': 'a%20b' }, body))).toBeUndefined()
  })

  it.each([
    ['another value', '/else'],
    ['a header of its own', '/x\r\nx-evil: 1'],
    ['a control character', '/x\u0000'],
    ['no UTF-8', '/\xff'],
    ['what no header can hold', '/€'],
    ['a space that HTTP would lose', ' /x'],
    ['nothing', ''],
  ])('are not taken from a record when they say %s', (_case, header) => {
    const { headers } = passedOn(record({ 'ce-source': header, 'ce-__proto__': 'x', 'ce-': 'x' }))
    expect(headers).toEqual({ ...required, 'ce-source': '/curl' })
  })

  it('are encoded only where HTTP cannot carry the value, if the event did not come in binary mode', () => {
    const attributes = {
      source: '/a%20b',
      subject: '100% "sure", %zz',
      dataschema: 'https://x/%2F',
      open: '"open',
      grass: 'Grün%41',
      space: ' x ',
      empty: '',
    }
    const event = parseEvent(structured, Buffer.from(JSON.stringify({ ...envelope, ...attributes })), {
      passesOn: true,
    })
    const expected = {
      'ce-source': '/a%20b',
      'ce-subject': '100% "sure", %zz',
      'ce-dataschema': 'https://x/%2F',
      'ce-open': '"open',
      'ce-grass': 'Gr%C3%BCn%2541',
      'ce-space': '%20x%20',
      'ce-empty': '',
    }
    expect(passedOn(event).headers).toMatchObject(expected)
    expect(passedOn(stored(event)).headers).toMatchObject(expected)
    expect(() => parseEvent(passedOn(event).headers, none)).not.toThrow()
    expect(toMessage(event).headers).toMatchObject({ 'ce-source': '/a%2520b', 'ce-open': '%22open' })
    const again = toOriginalMessage(stored(event))
    expect(attributesIn(parseEvent(again.headers, again.body ?? none))).toEqual(attributesIn(event))
    expect(again.headers['ce-id']).toBeUndefined()
  })

  it.each(['application/json', 'Application/JSON; charset=utf-8'])('may say %s without data', (contentType) => {
    const event = read({ 'content-type': contentType }, none)
    expect(event).toMatchObject({ datacontenttype: contentType })
    expect(event).not.toHaveProperty('data')
    for (const copy of [event, stored({ ...event, ext: 'x' })]) {
      expect(passedOn(copy)).toMatchObject({ headers: { 'content-type': contentType }, body: undefined })
    }
    expect(() => read({ 'content-type': contentType }, Buffer.from(' '))).toThrow('data must be a JSON object')
  })

  it('say nothing of an event without data that came in structured mode: it goes out so', () => {
    const text = JSON.stringify({ ...envelope, datacontenttype: 'application/json' })
    const event = parseEvent(structured, Buffer.from(text), { passesOn: true })
    expect(passedOn(stored(event)).headers['content-type']).toMatch('application/cloudevents+json')
  })

  it('may be longer than 16 KiB when encoded elsewhere: the event goes out in structured mode', () => {
    const header = '%41'.repeat(LIMITS.eventAttributeBytes / 2)
    const event = read({ 'ce-ext': header })
    expect(passedOn(stored(event)).headers['content-type']).toMatch('application/cloudevents+json')
  })
})
