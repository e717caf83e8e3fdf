import type { CloudEventV1 } from 'cloudevents'
import { invalidAttribute } from './errors.ts'
import { checkSpecversion } from './event-draft.ts'

/** Data as the bytes on the wire, with their media type. */
export interface EventContent {
  readonly datacontenttype: string | undefined
  readonly data: Buffer | undefined
}

/**
 * The data of an event of the cloudevents SDK: bytes, or `data_base64`, as they are; a string of a declared type is its text; anything else is
 * JSON, declared as such if no type is.
 */
export function contentOf({ data, data_base64: base64, datacontenttype }: CloudEventV1<unknown>): EventContent {
  if (Buffer.isBuffer(data)) return { datacontenttype, data }
  if (data === undefined) {
    return { datacontenttype, data: base64 === undefined ? undefined : Buffer.from(base64, 'base64') }
  }
  if (data instanceof ArrayBuffer) return { datacontenttype, data: Buffer.from(data) }
  if (ArrayBuffer.isView(data)) {
    return { datacontenttype, data: Buffer.from(data.buffer, data.byteOffset, data.byteLength) }
  }
  if (typeof data === 'string' && datacontenttype !== undefined) return { datacontenttype, data: Buffer.from(data) }
  return { datacontenttype: datacontenttype ?? 'application/json', data: Buffer.from(JSON.stringify(data)) }
}

/**
 * All attributes but `datacontenttype`, in their canonical form. Members that are undefined or null are absent attributes.
 *
 * @throws {EventError} when one has a value that is of no type of CloudEvents
 */
export function attributesOf(
  event: CloudEventV1<unknown>,
  prefix = '',
  write: (value: string, name: string) => string = (value) => value,
): Record<string, string> {
  checkSpecversion(event.specversion)
  const attributes: Record<string, string> = {}
  for (const name in event) {
    if (name === 'data' || name === 'data_base64' || name === 'datacontenttype') continue
    const value = event[name]
    if (value !== undefined && value !== null) attributes[prefix + name] = write(canonical(name, value), name)
  }
  return attributes
}

/** Source: CloudEvents 1.0.2, "Type System". */
export function canonical(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || Number.isInteger(value)) return String(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof URL) return value.href
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  throw invalidAttribute(name, 'must be a string, a boolean, an integer, bytes, a Date or a URL')
}
