import { isJsonObject, type JsonObject, parseJson } from '@taproom/core/limits'
import { reasonOf } from '@taproom/core/lines'
import { type RoutedRequest, takeBody } from '@taproom/http'
import { RegistryError, refusals } from '../errors.ts'
import { REGISTRY_LIMITS } from '../limits.ts'
import type { SchemaRequest } from '../registry/registration.ts'
import type { Registry } from '../registry/registry.ts'
import { readContract } from '../store/data-contract.ts'
import { readReferences, type SchemaVersion } from '../store/records.ts'
import { contextOf, DEFAULT_CONTEXT, inContext, nameOf } from '../store/subject-name.ts'
import { MEDIA_TYPES } from './answer.ts'

/** Subjects that Confluent's registry has for itself. */
const RESERVED_SUBJECTS = ['__GLOBAL', '__EMPTY']
/** Control characters, as Java's `Character.isISOControl` has them. */
const CONTROL = /\p{Cc}/u
/** A path within a context: `/contexts/.beers/subjects`, also with the colons of a qualified subject. */
const WITHIN_CONTEXT = /^\/contexts\/(?::|%3a)?(\.[^:/?]*?)(?::|%3a)?(\/.*)$/i

/** The path of a request within a context as that path alone; the context is what the handlers take for the default one. */
export function leaveContext(req: RoutedRequest): void {
  const [, context = '', path] = WITHIN_CONTEXT.exec(req.url ?? '') ?? []
  if (path === undefined) return
  req.baseUrl = decodeURIComponent(context)
  req.url = path
}

/**
 * The subject that a path names, with its context unless that is the default one.
 * @throws {RegistryError} 42208 when it cannot be one
 */
export function subjectOf(req: RoutedRequest): string {
  const given = paramOf(req, 'subject')
  const subject = qualified(req, given)
  if (nameOf(subject) === '' || !isSubject(subject)) throw refusals.invalidSubject(given)
  return subject
}

/**
 * As {@link subjectOf}, or a context alone (`:.beers:`); null for the default context, whose settings are the registry's own. A path without a
 * subject stands for the context that it is within.
 * @throws {RegistryError} 42208
 */
export function settingSubjectOf(req: RoutedRequest): string | null {
  const given = paramOf(req, 'subject')
  const subject = qualified(req, given)
  if (!isSubject(subject)) throw refusals.invalidSubject(given)
  return subject === '' ? null : subject
}

function isSubject(subject: string): boolean {
  const name = nameOf(subject)
  return (
    subject.length <= REGISTRY_LIMITS.nameLength &&
    !CONTROL.test(subject) &&
    !name.startsWith(':.') &&
    !RESERVED_SUBJECTS.includes(name)
  )
}

/** The context of ids: of the subject that the query names, else the one that the path is within. */
export function contextIn(req: RoutedRequest): string {
  return contextOf(qualified(req, text(req, 'subject') ?? ''))
}

/** A subject of the path or query with the context that the path is within, unless it names one itself. */
export function qualified(req: RoutedRequest, subject: string): string {
  return inContext(req.baseUrl || DEFAULT_CONTEXT, subject)
}

/** Which subjects a list has: those of all contexts without a prefix, unless the path is within one. */
export function prefixOf(req: RoutedRequest): string {
  const given = text(req, 'subjectPrefix')
  if (given?.startsWith(':*:')) return given
  return given === undefined && !req.baseUrl ? ':*:' : qualified(req, given ?? '')
}

/**
 * The version that a path names; `latest` is -1.
 * @throws {RegistryError} 42202
 */
export function versionOf(req: RoutedRequest): number {
  const given = paramOf(req, 'version').trim()
  if (given.toLowerCase() === 'latest') return -1
  const version = /^[+-]?\d{1,10}$/.test(given) ? Number(given) : Number.NaN
  if (version === -1 || (version > 0 && version < 2 ** 31)) return version
  throw refusals.invalidVersion(given)
}

/** @throws {RegistryError} 404 when it is no number: then no such path is served */
export function idOf(req: RoutedRequest): number {
  const given = paramOf(req, 'id')
  if (!/^\d{1,10}$/.test(given)) throw new RegistryError(404, 'HTTP 404 Not Found')
  return Number(given)
}

/** A part of the path, decoded. */
export function paramOf(req: RoutedRequest, name: string): string {
  return req.route?.params?.[name] ?? ''
}

/** `true` in any case; everything else is false. */
export function flag(req: RoutedRequest, name: string): boolean {
  return text(req, name)?.toLowerCase() === 'true'
}

/** The last value of a parameter of the query. */
export function text(req: RoutedRequest, name: string): string | undefined {
  return texts(req, name).at(-1)
}

/** All values of a parameter of the query. */
export function texts(req: RoutedRequest, name: string): readonly string[] {
  return new URLSearchParams(req.url?.split('?', 2)[1]).getAll(name)
}

/** The text of a schema in the format that the query names. */
export function schemaIn(req: RoutedRequest, version: SchemaVersion, { parser }: Registry): string {
  const format = text(req, 'format')
  return format ? parser.textIn(format, version) : version.schema
}

/** What `offset` and `limit` leave of a list. */
export function page<Item>(req: RoutedRequest, items: readonly Item[]): readonly Item[] {
  const offset = wholeNumber(req, 'offset', 0)
  const limit = wholeNumber(req, 'limit', -1)
  return items.slice(Math.max(0, offset), limit < 0 ? undefined : Math.max(0, offset) + limit)
}

function wholeNumber(req: RoutedRequest, name: string, absent: number): number {
  const given = text(req, name)
  if (given === undefined) return absent
  if (!/^-?\d{1,10}$/.test(given)) throw new RegistryError(404, 'HTTP 404 Not Found')
  return Number(given)
}

/**
 * The object that a request brings.
 * @throws {RegistryError} 400, 413, 415, 422
 */
export async function readObject(req: RoutedRequest): Promise<JsonObject> {
  const type = (req.headers['content-type'] ?? MEDIA_TYPES[0]).split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (![...MEDIA_TYPES, 'application/octet-stream'].includes(type)) {
    throw new RegistryError(415, 'HTTP 415 Unsupported Media Type')
  }
  const body = await readText(req)
  if (body.trim() === '') throw refusals.unprocessable('the request must not be empty')
  const value = parsed(body)
  if (!isJsonObject(value)) throw refusals.unprocessable('the request must be an object')
  return value
}

function readText(req: RoutedRequest): Promise<string> {
  const { bodyBytes } = REGISTRY_LIMITS
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  takeBody(req, {
    limitBytes: bodyBytes,
    onBody: (body) => resolve(body.toString()),
    onTooLarge: () => reject(new RegistryError(413, `the request must not have more than ${bodyBytes} bytes`)),
    onError: () => reject(new RegistryError(400, 'the request ended early')),
  })
  return promise
}

function parsed(body: string): unknown {
  try {
    return parseJson(body, { maxDepth: REGISTRY_LIMITS.depth })
  } catch (cause) {
    throw new RegistryError(400, reasonOf(cause), { cause })
  }
}

/** @throws {RegistryError} 400, 413, 415, 422, 42201 */
export async function readSchemaRequest(req: RoutedRequest): Promise<SchemaRequest> {
  const { schema, schemaType, references, id, version, metadata, ruleSet } = await readObject(req)
  if (schema != null && typeof schema !== 'string') throw refusals.invalidSchema('Empty schema')
  if (schemaType != null && typeof schemaType !== 'string') throw refusals.unprocessable('schemaType must be a text')
  return {
    schema: schema ?? '',
    schemaType: schemaType?.toUpperCase() ?? 'AVRO',
    references: refused(() => readReferences(references)),
    ...refused(() => readContract(metadata, ruleSet)),
    // Clients send -1 and 0 for those that the registry is to choose.
    ...number('id', id, 0),
    ...number('version', version, 1),
  }
}

function refused<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    throw refusals.unprocessable(reasonOf(cause))
  }
}

function number(name: 'id' | 'version', value: unknown, least: number): object {
  if (value == null) return {}
  if (!Number.isInteger(value) || Number(value) >= 2 ** 31)
    throw refusals.unprocessable(`${name} must be a whole number`)
  return Number(value) < least ? {} : { [name]: value }
}
