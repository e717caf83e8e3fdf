import { isJsonObject, type JsonObject, parseJson } from '@taproom/core/limits'
import { reasonOf } from '@taproom/core/lines'
import { takeBody } from '@taproom/http'
import type { Request } from 'express'
import { RegistryError, refusals } from '../errors.ts'
import { REGISTRY_LIMITS } from '../limits.ts'
import type { SchemaRequest } from '../registry/registration.ts'
import { readReferences } from '../store/records.ts'
import { MEDIA_TYPES } from './answer.ts'

/** Subjects that Confluent's registry has for itself. */
const RESERVED_SUBJECTS = ['__GLOBAL', '__EMPTY']
const DEFAULT_CONTEXT = ':.:'
/** Control characters, as Java's `Character.isISOControl` has them. */
const CONTROL = /\p{Cc}/u

/**
 * The subject that a path names, without the name of the default context.
 * @throws {RegistryError} 42208 when it cannot be one, or is in another context
 */
export function subjectOf(req: Request): string {
  const given = String(req.params['subject'])
  const subject = given.startsWith(DEFAULT_CONTEXT) ? given.slice(DEFAULT_CONTEXT.length) : given
  const isValid = subject !== '' && subject.length <= REGISTRY_LIMITS.nameLength && !CONTROL.test(subject)
  if (!isValid || subject.startsWith(':.') || RESERVED_SUBJECTS.includes(subject)) throw refusals.invalidSubject(given)
  return subject
}

/**
 * As {@link subjectOf}; null for the default context, whose settings are the registry's own.
 * @throws {RegistryError} 42208
 */
export function settingSubjectOf(req: Request): string | null {
  return req.params['subject'] === DEFAULT_CONTEXT ? null : subjectOf(req)
}

/**
 * The version that a path names; `latest` is -1.
 * @throws {RegistryError} 42202
 */
export function versionOf(req: Request): number {
  const given = String(req.params['version']).trim()
  if (given.toLowerCase() === 'latest') return -1
  const version = /^[+-]?\d{1,10}$/.test(given) ? Number(given) : Number.NaN
  if (version === -1 || (version > 0 && version < 2 ** 31)) return version
  throw refusals.invalidVersion(given)
}

/** @throws {RegistryError} 404 when it is no number: then no such path is served */
export function idOf(req: Request): number {
  const given = String(req.params['id'])
  if (!/^\d{1,10}$/.test(given)) throw new RegistryError(404, 'HTTP 404 Not Found')
  return Number(given)
}

/** `true` in any case; everything else is false. */
export function flag(req: Request, name: string): boolean {
  return text(req, name)?.toLowerCase() === 'true'
}

/** The last value of a parameter of the query. */
export function text(req: Request, name: string): string | undefined {
  const value = req.query[name]
  const last = Array.isArray(value) ? value.at(-1) : value
  return typeof last === 'string' ? last : undefined
}

/** What `offset` and `limit` leave of a list. */
export function page<Item>(req: Request, items: readonly Item[]): readonly Item[] {
  const offset = wholeNumber(req, 'offset', 0)
  const limit = wholeNumber(req, 'limit', -1)
  return items.slice(Math.max(0, offset), limit < 0 ? undefined : Math.max(0, offset) + limit)
}

function wholeNumber(req: Request, name: string, absent: number): number {
  const given = text(req, name)
  if (given === undefined) return absent
  if (!/^-?\d{1,10}$/.test(given)) throw new RegistryError(404, 'HTTP 404 Not Found')
  return Number(given)
}

/**
 * The object that a request brings.
 * @throws {RegistryError} 400, 413, 415, 422
 */
export async function readObject(req: Request): Promise<JsonObject> {
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

function readText(req: Request): Promise<string> {
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
export async function readSchemaRequest(req: Request): Promise<SchemaRequest> {
  const { schema, schemaType, references, id, version, metadata, ruleSet } = await readObject(req)
  if (typeof schema !== 'string') throw refusals.invalidSchema('Empty schema')
  if (metadata != null || ruleSet != null) {
    throw refusals.unprocessable('metadata and rule sets are not supported by this registry')
  }
  if (schemaType != null && typeof schemaType !== 'string') throw refusals.unprocessable('schemaType must be a text')
  return {
    schema,
    schemaType: schemaType?.toUpperCase() ?? 'AVRO',
    references: refused(() => readReferences(references)),
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
