import { HTTP, Kafka, CloudEvent as SdkEvent } from 'cloudevents'
import { describe, expect, it } from 'vitest'
import { fromKafkaMessage, parseEvent, toBinaryMode, toKafkaMessage, toStructuredMode } from '../src/index.ts'
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
  id: 'sdk',
  source: '/sdk',
  type: 'greeting',
  subject: 'beer',
  time: '2020-01-01T00:00:00.000Z',
  datacontenttype: 'application/json',
  dataschema: 'https://example.com/schema',
  extensions: { comexampleext: 'value' },
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
    const event = makeEvent({ subject: 'beer', time: attributes.time, extensions: { comexampleext: 'value' } })
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

    const record = toKafkaMessage(makeEvent({ extensions: { ext: 'x' } }))
    const read = Kafka.toEvent({ ...record, body: record.value, key: 'k', timestamp: 0 } as unknown as Parameters<
      typeof Kafka.toEvent
    >[0])
    expect(read).toMatchObject({ source: '/test', ext: 'x' })
  })
})
