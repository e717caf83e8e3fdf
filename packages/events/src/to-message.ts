import { type EventMessage, toBinaryMode } from './binary-mode.ts'
import type { CloudEvent } from './cloud-event.ts'
import { essenceOf, isCloudEventsMediaType } from './media-type.ts'
import { toStructuredMode } from './structured-mode.ts'

/** Common servers, Node's among them, take 16 KiB of request line and headers; the rest is for what HTTP itself adds. */
const HEADER_BYTES = 15.5 * 1024
/** Between name and value, and at the end. */
const AROUND_HEADER = 4

const OPEN_BRACE = 0x7b

/**
 * The event as an HTTP message that brings all of it to a receiver as strict as `readEvent`: in binary mode where that can, else in
 * structured mode.
 *
 * @param otherHeaderBytes of the same message: request line and further headers
 */
export function toMessage(event: CloudEvent, otherHeaderBytes = 0): EventMessage {
  if (!isKeptByBinaryMode(event)) return toStructuredMode(event)
  const message = toBinaryMode(event)
  return otherHeaderBytes + headerBytes(message.headers) > HEADER_BYTES ? toStructuredMode(event) : message
}

/** Bytes that headers take in a message. */
export function headerBytes(headers: Readonly<Record<string, string>>): number {
  let bytes = 0
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0) + AROUND_HEADER
  return bytes
}

/**
 * Binary mode has no empty data and no data without a type, takes data of a CloudEvents media type for structured mode, and has to have a
 * JSON object where the type is `application/json` (Taproom's contract, 2.7).
 */
function isKeptByBinaryMode({ datacontenttype, data }: CloudEvent): boolean {
  if (data?.length === 0) return false
  if (datacontenttype === undefined) return data === undefined
  if (isCloudEventsMediaType(datacontenttype)) return false
  return essenceOf(datacontenttype) !== 'application/json' || (data !== undefined && startsAsObject(data))
}

/** Of data that is JSON, whether it is an object. */
function startsAsObject(data: Buffer): boolean {
  if (data[0] === OPEN_BRACE) return true
  return data.find((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) === OPEN_BRACE
}
