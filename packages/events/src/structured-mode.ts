import { isUtf8 } from 'node:buffer'
import { checkJson, JsonError, type JsonPart, LIMITS } from '@taproom/core/limits'
import type { CloudEventV1 } from 'cloudevents'
import { CORE_RULES } from './attribute-rules.ts'
import type { EventMessage } from './binary-mode.ts'
import { ADDED_BY_BROKERS } from './broker-attributes.ts'
import { EventError, invalidAttribute, invalidData, shownName } from './errors.ts'
import {
  checkName,
  checkSpecversion,
  type EventDraft,
  finishEvent,
  newDraft,
  type ParseOptions,
  setAttribute,
  tooManyAttributes,
} from './event-draft.ts'
import { isWhiteSpace, jsonKindOf } from './json-data.ts'
import { charsetOf, essenceOf, isJsonMediaType } from './media-type.ts'
import { attributesOf, contentOf } from './written-event.ts'

const STRUCTURED = 'application/cloudevents+json'
const NOT_BASE64 = /[^A-Za-z0-9+/]/
const NUMBER_START = /^[-\d]/
const INT32_LIMIT = 2 ** 31
/** Counts null attributes, and `data` or `data_base64`. */
const MOST_MEMBERS = LIMITS.eventAttributes + ADDED_BY_BROKERS.size + 1

/** Reads the JSON format. JSON data keeps the exact text it has in the message. */
export function parseStructuredMode(contentType: string, body: Buffer, options?: ParseOptions): CloudEventV1<Buffer> {
  const format = essenceOf(contentType)
  if (format.startsWith('application/cloudevents-batch')) {
    throw new EventError('EVENT_BATCH_NOT_SUPPORTED', 'data', 'a batch of events is not taken here: send one at a time')
  }
  if (format !== STRUCTURED) {
    const rule = `must be ${STRUCTURED}: no other event format is supported`
    throw new EventError('EVENT_UNSUPPORTED_FORMAT', 'datacontenttype', `the media type of a structured event ${rule}`)
  }
  return eventOf(textOf(contentType, body), options)
}

/**
 * Writes the JSON format. JSON data is embedded unchanged; any other data, and data of no declared type, becomes `data_base64`, which keeps
 * its bytes.
 */
export function toStructuredMode(event: CloudEventV1<unknown>, content = contentOf(event)): EventMessage {
  const { datacontenttype, data } = content
  const envelope = JSON.stringify({ ...attributesOf(event), datacontenttype })
  return {
    headers: { 'content-type': 'application/cloudevents+json; charset=utf-8' },
    body: data === undefined ? Buffer.from(envelope) : withData(envelope, data, datacontenttype),
  }
}

function withData(envelope: string, data: Buffer, datacontenttype: string | undefined): Buffer {
  const open = envelope.slice(0, -1)
  if (datacontenttype !== undefined && isJsonMediaType(datacontenttype) && isBareJson(data)) {
    return Buffer.concat([Buffer.from(`${open},"data":`), data, Buffer.from('}')])
  }
  return Buffer.from(`${open},"data_base64":"${data.toString('base64')}"}`)
}

/** Whether the bytes are one JSON value without white space around it, which an envelope would lose. */
function isBareJson(data: Buffer): boolean {
  if (isWhiteSpace(data[0]) || isWhiteSpace(data.at(-1))) return false
  try {
    jsonKindOf(data)
    return true
  } catch (error) {
    if (error instanceof JsonError) return false
    throw error
  }
}

/** Reads attributes one by one and only notes where the data is: an event refused by an attribute costs no more. */
function eventOf(text: string, options?: ParseOptions): CloudEventV1<Buffer> {
  if (firstCharacter(text) !== '{') throw invalidData('a structured event must be a JSON object')
  const draft = newDraft()
  const seen = new Set<string>()
  const data: DataParts = {}
  readJson(text, ({ key, start, end }) => {
    if (seen.has(key)) {
      throw new EventError('EVENT_REPEATED_ATTRIBUTE', key, `${shownName(key)} is given more than once`)
    }
    if (seen.size === MOST_MEMBERS) throw tooManyAttributes(key)
    seen.add(key)
    if (key === 'data' || key === 'data_base64') data[key] = text.slice(start, end)
    else setJsonAttribute(draft, key, text.slice(start, end))
  })
  if (!seen.has('specversion')) checkSpecversion(undefined)
  return finishEvent(draft, dataOf(draft, data), options)
}

/** JSON texts of the two members that can hold data. */
interface DataParts {
  data?: string
  data_base64?: string
}

/** Data may be as deep inside the event as alone. */
function readJson(text: string, onPart: (part: JsonPart) => void): void {
  try {
    checkJson(text, { maxDepth: LIMITS.jsonDepth + 1, onPart })
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause
    const rule = cause.code === 'JSON_TOO_DEEP' ? TOO_DEEP : `the event is not JSON: ${cause.message}`
    throw invalidData(rule, { cause })
  }
}

const TOO_DEEP = `data must not be nested deeper than ${LIMITS.jsonDepth} levels`

function firstCharacter(text: string): string | undefined {
  return /[^ \n\r\t]/.exec(text)?.[0]
}

function setJsonAttribute(draft: EventDraft, name: string, json: string): void {
  checkName(name)
  if (json.startsWith('"')) setAttribute(draft, name, stringIn(json))
  else if (json === 'null') {
    if (name === 'specversion') checkSpecversion(undefined)
  } else setAttribute(draft, name, canonical(name, json))
}

/** Most strings have no escapes. */
function stringIn(json: string): string {
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1)
}

/** A Boolean or Integer in its canonical form. */
function canonical(name: string, json: string): string {
  if (name === 'specversion' || CORE_RULES.has(name)) throw invalidAttribute(name, 'must be a string')
  if (json === 'true' || json === 'false') return json
  const value = NUMBER_START.test(json) ? Number(json) : Number.NaN
  if (Number.isInteger(value) && value >= -INT32_LIMIT && value < INT32_LIMIT) return String(value)
  throw invalidAttribute(name, 'must be a string, a boolean or a 32-bit integer')
}

function dataOf(draft: EventDraft, { data, data_base64: base64 = 'null' }: DataParts): Buffer | undefined {
  if (base64 !== 'null') {
    if (data !== undefined) throw invalidData('data and data_base64 exclude each other')
    return bytesIn(base64)
  }
  if (data === undefined) return undefined
  if (draft.event.datacontenttype === undefined) setAttribute(draft, 'datacontenttype', 'application/json')
  const contentType = draft.event.datacontenttype ?? ''
  if (isJsonMediaType(contentType)) return Buffer.from(data)
  if (!data.startsWith('"')) throw invalidData(`data must be a string, as ${contentType} is not JSON`)
  if (!isUnicodeCharset(charsetOf(contentType))) throw invalidData('data as a string must be of charset utf-8')
  const text = stringIn(data)
  if (!text.isWellFormed()) throw invalidData('data as a string must not have unpaired surrogates')
  return Buffer.from(text)
}

function bytesIn(json: string): Buffer {
  if (json.startsWith('"')) {
    const base64 = stringIn(json)
    const end = base64.search(NOT_BASE64)
    const padding = end === -1 ? '' : base64.slice(end)
    if (base64.length % 4 === 0 && (padding === '' || padding === '=' || padding === '==')) {
      return Buffer.from(base64, 'base64')
    }
  }
  throw new EventError('EVENT_INVALID_DATA', 'data_base64', 'data_base64 must be a Base64 string')
}

function textOf(contentType: string, body: Buffer): string {
  if (!isUnicodeCharset(charsetOf(contentType)) || !isUtf8(body))
    throw invalidData('a JSON event must be encoded in UTF-8')
  return body.toString()
}

function isUnicodeCharset(charset: string | undefined): boolean {
  return charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii'
}
