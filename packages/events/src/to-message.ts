import { isDeepStrictEqual } from 'node:util'
import type { CloudEventV1 } from 'cloudevents'
import { type EventMessage, inBinaryMode } from './binary-mode.ts'
import { isWhiteSpace } from './json-data.ts'
import { essenceOf, isCloudEventsMediaType } from './media-type.ts'
import { headerWriter, originalHeadersOf } from './original-headers.ts'
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
  return writeMessage(event, { otherHeaderBytes })
}

/**
 * An event of a broker's record as the message that a broker takes as it took the first one: in binary mode with headers as they came, or in
 * structured mode where binary mode would have to encode attributes of which no header is known.
 */
export function toOriginalMessage(event: CloudEventV1<unknown>): EventMessage {
  const message = writeMessage(event, { otherHeaderBytes: 0 })
  const { headers } = writeMessage(event, { otherHeaderBytes: 0, passesOn: true })
  return isDeepStrictEqual(message.headers, headers) ? message : toStructuredMode(event)
}

export interface MessageOptions {
  readonly otherHeaderBytes: number
  /** Undefined: binary mode if possible. Even `binary` does not hold for data that is an event, which HTTP takes for the event itself. */
  readonly format?: 'binary' | 'json' | undefined
  readonly passesOn?: boolean | undefined
}

/** {@link toMessage} for a receiver that may want one mode. */
export function writeMessage(event: CloudEventV1<unknown>, options: MessageOptions): EventMessage {
  const { otherHeaderBytes, format, passesOn = false } = options
  const content = contentOf(event)
  const isBinary = format === undefined ? isKeptByBinaryMode(event, content) : format === 'binary'
  if (!isBinary || isCloudEventsMediaType(content.datacontenttype)) return toStructuredMode(event, content)
  const message = inBinaryMode(event, content, headerWriter(event, { passesOn }))
  if (format === 'binary' || otherHeaderBytes + headerBytes(message.headers) <= HEADER_BYTES) return message
  return toStructuredMode(event, content)
}

export function headerBytes(headers: Readonly<Record<string, string>>): number {
  let bytes = 0
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0) + AROUND_HEADER
  return bytes
}

/**
 * Binary mode cannot say empty data or data of no type, and needs a JSON object for `application/json` (contract 2.7), unless the event came
 * in it without data.
 */
function isKeptByBinaryMode(event: CloudEventV1<unknown>, { datacontenttype, data }: EventContent): boolean {
  if (data?.length === 0) return false
  if (datacontenttype === undefined) return data === undefined
  if (essenceOf(datacontenttype) !== 'application/json') return true
  return data === undefined ? originalHeadersOf(event)?.['datacontenttype'] === datacontenttype : startsAsObject(data)
}

/** Whether JSON data is an object. */
function startsAsObject(data: Buffer): boolean {
  if (data[0] === OPEN_BRACE) return true
  return data.find((byte) => !isWhiteSpace(byte)) === OPEN_BRACE
}
