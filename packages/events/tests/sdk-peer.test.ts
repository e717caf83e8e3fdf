import { HTTP, Kafka, CloudEvent as SdkEvent } from 'cloudevents'
import { describe, expect, it } from 'vitest'
import {
  attributeOf,
  createFilter,
  fromKafkaMessage,
  parseEvent,
  toBinaryMode,
  toKafkaMessage,
  toMessage,
  toStructuredMode,
} from '../src/index.ts'
import { makeEvent } from './make-event.ts'

const attributes = {
  id: 'sdk',
  source: '/sdk',
  type: 'greeting',
  subject: 'beer',
  time: '2020-01-01T00:00:00.000Z',
  datacontenttype: 'application/json',
  dataschema: 'https://example.com/schema',
  comexampleext: 'value',
}
const data = { msg: 'Aloha', list: [1, 'ü'] }
const expected = {
  specversion: '1.0',
  ...attributes,
  data: Buffer.from(JSON.stringify(data)),
}

function lowerCased(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
}

describe('the cloudevents SDK as an independent peer', () => {
  it('what it sends over HTTP is read, in binary and structured mode', () => {
    const sdkEvent = new SdkEvent({ ...attributes, data })
    for (const message of [HTTP.binary(sdkEvent), HTTP.structured(sdkEvent)]) {
      expect(parseEvent(lowerCased(message.headers), Buffer.from(String(message.body)))).toEqual(expected)
    }
  })

  it('it reads what is written here, in binary and structured mode', () => {
    const event = makeEvent({ subject: 'beer', time: attributes.time, comexampleext: 'value' })
    for (const { headers, body } of [toBinaryMode(event), toStructuredMode(event)]) {
      const read = HTTP.toEvent<{ msg: string }>({ headers, body: body?.toString() }) as SdkEvent<{ msg: string }>
      expect(read.validate()).toBe(true)
      expect(read).toMatchObject({
        id: '1',
        source: '/test',
        type: 'greeting',
        subject: 'beer',
        time: attributes.time,
        comexampleext: 'value',
        data: { msg: 'Aloha' },
      })
    }
  })

  it('Kafka records go both ways', () => {
    const sent = Kafka.structured(new SdkEvent({ ...attributes, data }))
    const value = Buffer.from(String(sent.value))
    expect(fromKafkaMessage({ headers: lowerCased(sent.headers), value })).toEqual(expected)

    const record = toKafkaMessage(makeEvent({ ext: 'x' }))
    const read = Kafka.toEvent({ ...record, body: record.value, key: 'k', timestamp: 0 } as unknown as Parameters<
      typeof Kafka.toEvent
    >[0])
    expect(read).toMatchObject({ source: '/test', ext: 'x' })
  })

  describe.each<[string, Record<string, unknown>, string | undefined]>([
    ['JSON', { data }, JSON.stringify(data)],
    ['JSON that is not an object', { data: [1] }, '[1]'],
    ['JSON null', { data: null }, 'null'],
    ['JSON of no declared type', { data, datacontenttype: undefined }, JSON.stringify(data)],
    ['a string of no declared type', { data: 'ü', datacontenttype: undefined }, '"ü"'],
    ['text', { data: 'ü', datacontenttype: 'text/plain' }, 'ü'],
    ['a Buffer', { data: Buffer.from('ü'), datacontenttype: 'text/plain' }, 'ü'],
    ['a Uint8Array', { data: new Uint8Array([0x61, 0x62]).subarray(1), datacontenttype: 'image/png' }, 'b'],
    ['Base64', { data_base64: 'w7w=', datacontenttype: 'text/plain' }, 'ü'],
    ['no data', {}, undefined],
  ])('an event of the SDK with %s', (_, members, text) => {
    const sdkEvent = new SdkEvent<unknown>({ ...attributes, count: 7, flag: true, ...members })

    it('can be written in every mode', () => {
      const record = toKafkaMessage(sdkEvent)
      const read = [
        ...[toMessage(sdkEvent), toStructuredMode(sdkEvent)].map(({ headers, body }) =>
          parseEvent(headers, body ?? Buffer.alloc(0)),
        ),
        fromKafkaMessage(record),
      ]
      for (const event of read) {
        const { data: bytes, datacontenttype, ...others } = event
        expect([bytes?.toString(), others]).toEqual([
          text,
          { ...attributes, datacontenttype: undefined, specversion: '1.0', count: '7', flag: 'true' },
        ])
        expect(datacontenttype).toBe(sdkEvent.datacontenttype ?? 'application/json')
      }
    })

    it('comes back to the SDK unchanged', () => {
      const { headers, body } = toMessage(sdkEvent)
      const event = parseEvent(headers, body ?? Buffer.alloc(0))
      const again = new SdkEvent(event)
      expect(again).toMatchObject(event)
      for (const binary of [HTTP.binary(event), HTTP.binary(again)]) {
        expect(binary.body?.toString()).toBe(text)
        expect(binary.headers).toMatchObject({ 'ce-id': 'sdk', 'ce-time': attributes.time, 'ce-count': '7' })
      }
      const structured = HTTP.structured(again)
      expect(parseEvent(lowerCased(structured.headers), Buffer.from(String(structured.body)))).toEqual(event)
      const value = Buffer.from(String(Kafka.structured(again).value))
      expect(fromKafkaMessage({ headers: lowerCased(Kafka.structured(again).headers), value })).toEqual(event)
    })

    it('is filtered by its attributes', () => {
      expect(createFilter({ filters: [{ exact: { count: '7' } }, { cesql: "flag = 'true'" }] })(sdkEvent)).toBe(true)
      expect(attributeOf(sdkEvent, 'data')).toBeUndefined()
    })
  })

  it('gets no time that the sender did not give', () => {
    const { time: _, ...others } = attributes
    const event = { specversion: '1.0', ...others, data }
    for (const { headers, body } of [toMessage(event), toStructuredMode(event)]) {
      expect(parseEvent(headers, body ?? Buffer.alloc(0))).not.toHaveProperty('time')
    }
    expect(fromKafkaMessage(toKafkaMessage(event))).not.toHaveProperty('time')
  })

  it('has what CloudEvents cannot say refused', () => {
    const attribute = new SdkEvent({ ...attributes, list: {} }, false)
    expect(() => toMessage(attribute)).toThrow('list must be a string, a boolean, an integer, bytes, a Date or a URL')
    const { dataschema: _, ...older } = { ...attributes, specversion: '0.3' }
    expect(() => toMessage(new SdkEvent(older, false))).toThrow('specversion must be 1.0')
  })

  it('writes bytes, dates and addresses in their canonical form', () => {
    const values = { bytes: Buffer.from('ü'), day: new Date(0), home: new URL('https://x/y') }
    expect(toBinaryMode(new SdkEvent({ ...attributes, ...values })).headers).toMatchObject({
      'ce-bytes': 'w7w=',
      'ce-day': '1970-01-01T00:00:00.000Z',
      'ce-home': 'https://x/y',
    })
  })
})
