import type { CloudEvent } from '@taproom/events'
import { describe, expect, it } from 'vitest'
import { loggedEvent } from './logged-event.ts'

const event: CloudEvent = {
  specversion: '1.0',
  id: '1',
  source: '/curl',
  type: 'aloha',
  subject: 'beer',
  extensions: { ext: 'x' },
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
  ])('shows %s data', (_case, data, expected) => {
    expect(loggedEvent({ ...event, data })).toMatchObject(expected)
  })
})
