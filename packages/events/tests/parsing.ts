import { EventError, type EventHeaders, parseEvent } from '../src/index.ts'

/** Headers of the least binary-mode message there is. */
export const required = { 'ce-id': '1', 'ce-source': '/curl', 'ce-type': 'greeting', 'ce-specversion': '1.0' }
/** Headers of a binary-mode message with {@link body}. */
export const json = { ...required, 'content-type': 'application/json' }
export const body: Buffer = Buffer.from('{"msg":"Aloha"}')
/** Headers and members of a structured-mode message. */
export const structured = { 'content-type': 'application/cloudevents+json' }
export const envelope = { specversion: '1.0', id: '1', source: '/curl', type: 'greeting' }

/** What `parseEvent` says of a message that is no event. */
export function errorOf(
  headers: EventHeaders,
  data: Buffer | string = body,
): Pick<EventError, 'code' | 'attribute' | 'status'> {
  try {
    parseEvent(headers, Buffer.from(data))
  } catch (error) {
    if (error instanceof EventError) return { code: error.code, attribute: error.attribute, status: error.status }
    throw error
  }
  throw new Error('parsed')
}
