import type { CloudEventV1 } from 'cloudevents'
import { describe, expect, it } from 'vitest'
import { fromKafkaMessage, parseEvent, toKafkaMessage, toStructuredMode } from './index.ts'

const event: CloudEventV1<Buffer> = {
  specversion: '1.0',
  id: '1',
  source: '/beers',
  type: 'greeting',
  subject: 'Größe 100%',
  datacontenttype: 'image/png',
  partitionkey: 'Punk IPA',
  ext: 'x',
  data: Buffer.from([0, 255]),
}

describe('Kafka binding', () => {
  it('puts attributes into ce_ headers as they are, and the data into the value', () => {
    expect(toKafkaMessage(event)).toEqual({
      key: 'Punk IPA',
      headers: {
        ce_specversion: '1.0',
        ce_id: '1',
        ce_source: '/beers',
        ce_type: 'greeting',
        ce_subject: 'Größe 100%',
        ce_partitionkey: 'Punk IPA',
        ce_ext: 'x',
        'content-type': 'image/png',
      },
      value: event.data,
    })
  })

  it('reads what it writes', () => {
    expect(fromKafkaMessage(toKafkaMessage(event))).toEqual(event)
    const { data: _, ...bare } = event
    expect(toKafkaMessage(bare).value).toBeNull()
    expect(fromKafkaMessage(toKafkaMessage(bare))).toEqual(bare)
  })

  it('reads structured mode', () => {
    const { headers, body } = toStructuredMode(event)
    expect(fromKafkaMessage({ headers, value: body ?? null })).toEqual(event)
  })

  it('refuses formats other than JSON, and batches', () => {
    const read = (contentType: string) =>
      fromKafkaMessage({ headers: { 'content-type': contentType }, value: Buffer.from('[]') })
    expect(() => read('application/cloudevents+avro')).toThrow(
      expect.objectContaining({ code: 'EVENT_UNSUPPORTED_FORMAT' }),
    )
    expect(() => read('application/cloudevents-batch+json')).toThrow(
      expect.objectContaining({ code: 'EVENT_BATCH_NOT_SUPPORTED' }),
    )
  })

  it('passes over other headers and takes any data', () => {
    const { headers } = toKafkaMessage({ ...event, datacontenttype: 'application/json' })
    expect(
      fromKafkaMessage({ headers: { ...headers, trace: 'x', unset: undefined }, value: Buffer.from('[') }).id,
    ).toBe('1')
  })

  it.each([
    [{}, 'EVENT_NOT_AN_EVENT', 'specversion'],
    [{ ce_id: '1' }, 'EVENT_MISSING_ATTRIBUTE', 'specversion'],
    [{ ce_specversion: '1.0', ce_id: '1', ce_source: '/x' }, 'EVENT_MISSING_ATTRIBUTE', 'type'],
    [
      { ce_specversion: '1.0', ce_id: '1', ce_source: '/x', ce_type: 't', 'ce_a-b': '' },
      'EVENT_INVALID_ATTRIBUTE_NAME',
      'a-b',
    ],
  ])('refuses %j', (headers, code, attribute) => {
    expect(() => fromKafkaMessage({ headers, value: null })).toThrow(expect.objectContaining({ code, attribute }))
  })

  it('carries an event from HTTP unchanged', () => {
    const headers = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/x', 'ce-type': 't', 'ce-subject': 'a%20b' }
    const received = parseEvent({ ...headers, 'content-type': 'text/plain' }, Buffer.from('x'))
    expect(fromKafkaMessage(toKafkaMessage(received))).toEqual(received)
  })
})
