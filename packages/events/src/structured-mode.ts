import { isUtf8 } from 'node:buffer'
import type { EventMessage } from './binary-mode.ts'
import type { CloudEvent } from './cloud-event.ts'
import { EventError } from './errors.ts'
import { checkSpecversion, type EventDraft, finishEvent, setAttribute } from './event-draft.ts'
import { topLevelSpans } from './json-spans.ts'
import { charsetOf, isJsonMediaType } from './media-type.ts'

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const INT32_LIMIT = 2 ** 31
const CORE_ATTRIBUTES: ReadonlySet<string> = new Set([
  'specversion',
  'id',
  'source',
  'type',
  'subject',
  'time',
  'dataschema',
  'datacontenttype',
])

/** Reads a structured-mode message in the JSON format. JSON data keeps the very text it has in the message. */
export function parseStructuredMode(contentType: string, body: Buffer): CloudEvent {
  return eventOf(textOf(contentType, body))
}

/** Reads a batch in the JSON batch format; one invalid event refuses all of it. */
export function parseBatchMode(contentType: string, body: Buffer): CloudEvent[] {
  const text = textOf(contentType, body)
  if (!Array.isArray(parseJson(text))) throw new EventError('invalid-data', 'data', 'a batch must be a JSON array')
  return topLevelSpans(text).map(({ start, end }) => eventOf(text.slice(start, end)))
}

/**
 * The event as a structured-mode message in the JSON format. Data that is JSON is embedded as it is; any other data,
 * and data of no declared type, goes into `data_base64`, so that its bytes survive.
 */
export function toStructuredMode(event: CloudEvent): EventMessage {
  const { extensions, data, ...attributes } = event
  const envelope = JSON.stringify({ ...attributes, ...extensions })
  return {
    headers: { 'content-type': 'application/cloudevents+json; charset=utf-8' },
    body: data === undefined ? Buffer.from(envelope) : withData(envelope, data, event.datacontenttype),
  }
}

function withData(envelope: string, data: Buffer, datacontenttype: string | undefined): Buffer {
  const open = envelope.slice(0, -1)
  if (datacontenttype !== undefined && isJsonMediaType(datacontenttype) && isBareJson(data)) {
    return Buffer.concat([Buffer.from(`${open},"data":`), data, Buffer.from('}')])
  }
  return Buffer.from(`${open},"data_base64":"${data.toString('base64')}"}`)
}

/** Whether the bytes are one JSON value with no white space around it, which would be lost in an envelope. */
function isBareJson(data: Buffer): boolean {
  if (!isUtf8(data)) return false
  const text = data.toString()
  try {
    JSON.parse(text)
  } catch {
    return false
  }
  return text.trim() === text
}

function eventOf(text: string): CloudEvent {
  const envelope = parseJson(text)
  if (typeof envelope !== 'object' || envelope === null || Array.isArray(envelope)) {
    throw new EventError('invalid-data', 'data', 'a structured event must be a JSON object')
  }
  const members = envelope as Record<string, unknown>
  if (!Object.hasOwn(members, 'specversion')) checkSpecversion(undefined)
  const draft: EventDraft = {}
  const seen = new Set<string>()
  let dataText: string | undefined
  for (const { key, start, end } of topLevelSpans(text)) {
    if (seen.has(key)) throw new EventError('repeated-attribute', key, `${key} is given more than once`)
    seen.add(key)
    if (key === 'data') dataText = text.slice(start, end)
    else if (key !== 'data_base64') setJsonAttribute(draft, key, members[key])
  }
  return finishEvent(draft, dataOf(draft, members, dataText))
}

function setJsonAttribute(draft: EventDraft, name: string, value: unknown): void {
  if (value === null) {
    if (name === 'specversion') checkSpecversion(undefined)
    return
  }
  if (typeof value === 'string') {
    setAttribute(draft, name, value)
    return
  }
  const isCore = CORE_ATTRIBUTES.has(name)
  const isInteger = Number.isInteger(value) && Number(value) >= -INT32_LIMIT && Number(value) < INT32_LIMIT
  if (isCore || !(typeof value === 'boolean' || isInteger)) {
    const types = isCore ? 'a string' : 'a string, a boolean or a 32-bit integer'
    throw new EventError('invalid-attribute', name, `${name} must be ${types}`)
  }
  setAttribute(draft, name, String(value))
}

function dataOf(draft: EventDraft, members: Record<string, unknown>, dataText: string | undefined): Buffer | undefined {
  const base64 = members['data_base64'] ?? undefined
  if (base64 !== undefined) {
    if (dataText !== undefined) throw new EventError('invalid-data', 'data', 'data and data_base64 exclude each other')
    if (typeof base64 !== 'string' || !BASE64.test(base64)) {
      throw new EventError('invalid-data', 'data_base64', 'data_base64 must be a Base64 string')
    }
    return Buffer.from(base64, 'base64')
  }
  if (dataText === undefined) return undefined
  draft.datacontenttype ??= 'application/json'
  if (isJsonMediaType(draft.datacontenttype)) return Buffer.from(dataText)
  const value = members['data']
  if (typeof value !== 'string') {
    throw new EventError('invalid-data', 'data', `data must be a string, as ${draft.datacontenttype} is not JSON`)
  }
  if (!isUnicodeCharset(charsetOf(draft.datacontenttype))) {
    throw new EventError('invalid-data', 'data', 'data as a string must be of charset utf-8')
  }
  return Buffer.from(value)
}

function textOf(contentType: string, body: Buffer): string {
  if (!isUnicodeCharset(charsetOf(contentType)) || !isUtf8(body)) {
    throw new EventError('invalid-data', 'data', 'a JSON event must be encoded in UTF-8')
  }
  return body.toString()
}

function isUnicodeCharset(charset: string | undefined): boolean {
  return charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new EventError('invalid-data', 'data', 'the event is not JSON', { cause })
  }
}
