import type { CloudEventV1 } from 'cloudevents'
import { type EventMessage, toBinaryMode } from './binary-mode.ts'
import { isWhiteSpace } from './json-data.ts'
import { essenceOf, isCloudEventsMediaType } from './media-type.ts'
import { toStructuredMode } from './structured-mode.ts'
import { contentOf, type EventContent } from './written-event.ts'

/** Common servers, Node among them, accept 16 KiB of request line and headers; the rest is left to what HTTP itself adds. */
const HEADER_BYTES = 15.5 * 1024
/** Bytes of `: ` and the line end. */
const AROUND_HEADER = 4

const OPEN_BRACE = 0x7b

/**
 * The event as an HTTP message that a receiver as strict as `readEvent` gets in full: in binary mode if possible, else structured.
 *
 * @param otherHeaderBytes of the same message: request line and further headers
 */
export function toMessage(event: CloudEventV1<unknown>, otherHeaderBytes = 0): EventMessage {
  const content = contentOf(event)
  if (!isKeptByBinaryMode(content)) return toStructuredMode(event, content)
  const message = toBinaryMode(event, content)
  return otherHeaderBytes + headerBytes(message.headers) > HEADER_BYTES ? toStructuredMode(event, content) : message
}

export function headerBytes(headers: Readonly<Record<string, string>>): number {
  let bytes = 0
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0) + AROUND_HEADER
  return bytes
}

/**
 * Binary mode cannot say empty data or data of no type, reads data of a CloudEvents media type as structured mode, and needs a JSON object
 * for `application/json` (contract 2.7).
 */
function isKeptByBinaryMode({ datacontenttype, data }: EventContent): boolean {
  if (data?.length === 0) return false
  if (datacontenttype === undefined) return data === undefined
  if (isCloudEventsMediaType(datacontenttype)) return false
  return essenceOf(datacontenttype) !== 'application/json' || (data !== undefined && startsAsObject(data))
}

/** Whether JSON data is an object. */
function startsAsObject(data: Buffer): boolean {
  if (data[0] === OPEN_BRACE) return true
  return data.find((byte) => !isWhiteSpace(byte)) === OPEN_BRACE
}
