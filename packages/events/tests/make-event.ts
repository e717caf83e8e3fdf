import type { CloudEventV1 } from 'cloudevents'

export function makeEvent(overrides: Partial<CloudEventV1<Buffer>> = {}): CloudEventV1<Buffer> {
  return {
    specversion: '1.0',
    id: '1',
    source: '/test',
    type: 'greeting',
    datacontenttype: 'application/json',
    data: Buffer.from('{"msg":"Aloha"}'),
    ...overrides,
  }
}
