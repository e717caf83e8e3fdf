import type { CloudEvent } from '../src/index.ts'

export function makeEvent(overrides: Partial<CloudEvent> = {}): CloudEvent {
  return {
    specversion: '1.0',
    id: '1',
    source: '/test',
    type: 'greeting',
    datacontenttype: 'application/json',
    extensions: {},
    data: Buffer.from('{"msg":"Aloha"}'),
    ...overrides,
  }
}
