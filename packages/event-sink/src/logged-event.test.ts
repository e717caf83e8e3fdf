import type { CloudEventV1 } from 'cloudevents'
import { describe, expect, it } from 'vitest'
import { loggedEvent } from './logged-event.ts'

const event: CloudEventV1<Buffer> = {
  specversion: '1.0',
  id: '1',
  source: '/curl',
  type: 'aloha',
  subject: 'beer',
  ext: 'x',
}

describe('loggedEvent', () => {
  it('has every attribute, and no data for an event without', () => {
    expect(loggedEvent(event)).toEqual({
      specversion: '1.0',
      id: '1',
      source: '/curl',
      type: 'aloha',
      subject: 'beer',
      ext: 'x',
    })
  })

  it.each([
    ['JSON', Buffer.from('{"msg":"Aloha"}'), { data: { msg: 'Aloha' } }],
    ['text', Buffer.from('Größe'), { data: 'Größe' }],
    ['bytes', Buffer.from([0, 255]), { data_base64: 'AP8=' }],
    ['no JSON', Buffer.from('{"msg"'), { data: '{"msg"' }],
  ])('shows %s data', (_case, data, expected) => {
    expect(loggedEvent({ ...event, data })).toMatchObject(expected)
  })

  it.each([
    ['nested too deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['of too many values', `[${'0,'.repeat(10_000)}0]`],
  ])('shows JSON data %s as the text it came in', (_case, text) => {
    const logged = loggedEvent({ ...event, data: Buffer.from(text) })
    expect(logged['data']).toBe(text)
    expect(() => JSON.stringify(logged)).not.toThrow()
  })

  it.each(['\u001b', 'a\u009b', '\u{e0041}', '\u2028'])(
    'shows data made of %j as bytes: it is no text, and would be a line of mebibytes',
    (text) => {
      const data = Buffer.from(text.repeat(10_000))
      expect(loggedEvent({ ...event, data })).toMatchObject({ data_base64: data.toString('base64') })
      expect(loggedEvent({ ...event, data: Buffer.from(text.repeat(100)) })).toMatchObject({ data: text.repeat(100) })
    },
  )

  it('shows text of many lines as text', () => {
    const text = 'a line\r\n\tand "another"\n'.repeat(20_000)
    expect(loggedEvent({ ...event, data: Buffer.from(text) })).toMatchObject({ data: text })
  })
})
