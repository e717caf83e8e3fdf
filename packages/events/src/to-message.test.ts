import { LIMITS } from '@taproom/core/limits'
import type { CloudEventV1 } from 'cloudevents'
import { describe, expect, it } from 'vitest'
import { makeEvent } from '../tests/make-event.ts'
import { fromKafkaMessage, parseEvent, toKafkaMessage, toMessage } from './index.ts'

const STRUCTURED = 'application/cloudevents+json; charset=utf-8'
const { data: _, datacontenttype: __, ...bare } = makeEvent()

function isStructured(event: CloudEventV1<Buffer>, otherHeaderBytes?: number): boolean {
  return toMessage(event, otherHeaderBytes).headers['content-type'] === STRUCTURED
}

describe('toMessage', () => {
  it.each<[string, CloudEventV1<Buffer>]>([
    ['a JSON object', makeEvent()],
    ['a JSON object after white space', makeEvent({ data: Buffer.from(' \n{}') })],
    ['no JSON object of another JSON type', makeEvent({ datacontenttype: 'text/json', data: Buffer.from('[1]') })],
    ['no data', bare],
    ['a type and no data', { ...bare, datacontenttype: 'text/plain' }],
  ])('is in binary mode for %s', (_case, event) => {
    expect(isStructured(event)).toBe(false)
  })

  it.each<[string, CloudEventV1<Buffer>]>([
    ['an event as data', makeEvent({ datacontenttype: 'application/cloudevents+json' })],
    ['a batch as data', makeEvent({ datacontenttype: 'Application/CloudEvents-Batch+JSON', data: Buffer.from('[]') })],
    ['data of any CloudEvents media type', makeEvent({ datacontenttype: 'application/cloudeventsx' })],
    ['a JSON array', makeEvent({ data: Buffer.from('[1]') })],
    ['a JSON string', makeEvent({ datacontenttype: 'Application/JSON ; a=b', data: Buffer.from('"{"') })],
    ['the type of JSON and no data', { ...bare, datacontenttype: 'application/json' }],
    ['empty data', makeEvent({ datacontenttype: 'text/plain', data: Buffer.alloc(0) })],
    ['data of no type', { ...bare, data: Buffer.from('x') }],
  ])('is in structured mode for %s, which binary mode would not keep', (_case, event) => {
    expect(isStructured(event)).toBe(true)
    const { headers, body } = toMessage(event)
    expect(parseEvent(headers, body ?? Buffer.alloc(0))).toEqual(event)
  })

  it('is in structured mode where binary mode needs more than 16 KiB of headers', () => {
    const event = makeEvent({ ext: 'x'.repeat(LIMITS.eventAttributeBytes - 200) })
    expect(isStructured(event)).toBe(false)
    expect(isStructured(event, 2000)).toBe(false)
    expect(isStructured(event, 4000)).toBe(true)
  })

  it('keeps the bytes of data in structured mode, whatever they are', () => {
    for (const data of [' {"id":"inner"}\n', '{"price":12.50}', 'no JSON', '\ufeff{}']) {
      const event = makeEvent({ datacontenttype: 'application/cloudevents+json', data: Buffer.from(data) })
      const { headers, body } = toMessage(event)
      expect(parseEvent(headers, body ?? Buffer.alloc(0))).toEqual(event)
    }
  })
})

describe('toKafkaMessage', () => {
  it.each(['application/cloudevents+json', 'application/cloudevents-batch+json', 'Application/CloudEvents'])(
    'is in structured mode for data of type %s, which a reader would take for the event itself',
    (datacontenttype) => {
      const event = makeEvent({
        datacontenttype,
        partitionkey: 'k',
        data: Buffer.from('{"id":"inner"}'),
      })
      const record = toKafkaMessage(event)
      expect(record).toMatchObject({ key: 'k', headers: { 'content-type': STRUCTURED } })
      expect(fromKafkaMessage(record)).toEqual(event)
    },
  )

  it('stays below the limit of structured mode with the largest data there is', () => {
    const datacontenttype = 'application/cloudevents+json'
    const ext = '\\'.repeat(LIMITS.eventAttributeBytes - 200)
    const event = makeEvent({ datacontenttype, ext, data: Buffer.alloc(LIMITS.eventDataBytes) })
    const record = toKafkaMessage(event)
    expect(record.value?.length).toBeLessThan(LIMITS.structuredEventBytes)
    expect(fromKafkaMessage(record)).toEqual(event)
  })
})
