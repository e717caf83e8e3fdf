import { isJsonObject, type JsonObject, parseJson } from '@taproom/core/limits'
import { REGISTRY_LIMITS } from '../limits.ts'
import type { DataContract } from './data-contract.ts'

/** One version of a subject, and the value of its record on the topic. */
export interface SchemaVersion extends DataContract {
  /** With its context, unless that is the default one. */
  readonly subject: string
  readonly version: number
  readonly id: number
  readonly schemaType: string
  readonly references: readonly SchemaReference[]
  readonly schema: string
  readonly deleted: boolean
  /** Members of the record that mean nothing here and are written again as they were, such as `md5`. */
  readonly others: JsonObject
}

/** Another schema that a schema needs, and the name by which it speaks of it: an import, a `$ref` or a type. */
export interface SchemaReference {
  readonly name: string
  readonly subject: string
  readonly version: number
}

/** A version, or with null that it is gone for good. */
export interface VersionRecord {
  readonly keytype: 'SCHEMA'
  readonly subject: string
  readonly version: number
  readonly value: SchemaVersion | null
}

/** A record of `_schemas` with something to say. `subject` null is the registry's own setting. */
export type RegistryRecord =
  | VersionRecord
  | { readonly keytype: 'CONFIG'; readonly subject: string | null; readonly value: JsonObject | null }
  | { readonly keytype: 'MODE'; readonly subject: string | null; readonly value: JsonObject | null }
  | {
      readonly keytype: 'DELETE_SUBJECT'
      readonly subject: string
      readonly value: { readonly version: number } | null
    }
  | { readonly keytype: 'NOOP'; readonly value: null }

/** The JSON of a record's key and value as Confluent writes it, its members in the same order: the key is compared byte by byte. */
export function encodeRecord(record: RegistryRecord): { readonly key: string; readonly value: string | null } {
  return { key: JSON.stringify(keyIn(record)), value: record.value && JSON.stringify(valueIn(record)) }
}

/** Bytes that a version takes on the topic and about as many in memory and answers, with metadata and rules. */
export function bytesOf(value: SchemaVersion): number {
  return Buffer.byteLength(JSON.stringify(schemaValue(value)))
}

function keyIn(record: RegistryRecord): object {
  const { keytype } = record
  switch (keytype) {
    case 'SCHEMA':
      return { keytype, subject: record.subject, version: record.version, magic: 1 }
    case 'NOOP':
      return { keytype, magic: 0 }
    default:
      return { keytype, ...(record.subject !== null && { subject: record.subject }), magic: 0 }
  }
}

function valueIn(record: RegistryRecord): object | null {
  switch (record.keytype) {
    case 'SCHEMA':
      return record.value && schemaValue(record.value)
    case 'DELETE_SUBJECT':
      return record.value && { subject: record.subject, version: record.value.version }
    case 'NOOP':
      return null
    default:
      return record.value && { ...(record.subject !== null && { subject: record.subject }), ...record.value }
  }
}

function schemaValue({ others, ...value }: SchemaVersion): object {
  const { subject, version, id, schemaType, references, metadata, ruleSet, schema, deleted } = value
  return {
    ...others,
    subject,
    version,
    id,
    ...(schemaType !== 'AVRO' && { schemaType }),
    ...(references.length > 0 && { references }),
    ...(metadata && { metadata }),
    ...(ruleSet && { ruleSet }),
    schema,
    deleted,
  }
}

/**
 * Reads a record of the topic; undefined for key types that mean nothing here (CONTEXT, CLEAR_SUBJECT, ASSOC).
 * @throws {Error} when it cannot be read
 */
export function decodeRecord(keyBytes: Buffer | null, valueBytes: Buffer | null): RegistryRecord | undefined {
  const key = readObject(keyBytes?.toString() ?? '', 'key')
  const value = valueBytes === null ? null : readObject(valueBytes.toString(), 'value')
  const { keytype } = key
  switch (keytype) {
    case 'NOOP':
      return { keytype, value: null }
    case 'CONFIG':
    case 'MODE':
      return { keytype, subject: key['subject'] == null ? null : name(key, 'subject'), value: value && settings(value) }
    case 'DELETE_SUBJECT':
      return { keytype, subject: name(key, 'subject'), value: value && { version: integer(value, 'version', 0) } }
    case 'SCHEMA': {
      const subject = name(key, 'subject')
      const version = integer(key, 'version', 1)
      return { keytype, subject, version, value: value && readVersion(value, subject, version) }
    }
    case 'CONTEXT':
    case 'CLEAR_SUBJECT':
    case 'ASSOC':
      return undefined
    default:
      throw new Error('the key has an unknown keytype')
  }
}

function readVersion(value: JsonObject, subject: string, version: number): SchemaVersion {
  const { subject: _s, version: _v, id: _i, schemaType, references, schema, deleted, ...rest } = value
  const { metadata, ruleSet, ...others } = rest
  if (typeof schema !== 'string') throw new Error('schema is not a text')
  return {
    subject,
    version,
    id: integer(value, 'id', 0),
    schemaType: schemaType == null ? 'AVRO' : text(value, 'schemaType'),
    references: readReferences(references),
    ...(isJsonObject(metadata) && { metadata }),
    ...(isJsonObject(ruleSet) && { ruleSet }),
    schema,
    deleted: deleted === true,
    others,
  }
}

/**
 * Reads the references of a record or request.
 * @throws {Error} when they are not a list of references, or too many
 */
export function readReferences(references: unknown): SchemaReference[] {
  if (references == null) return []
  if (!Array.isArray(references) || references.length > REGISTRY_LIMITS.references) {
    throw new Error(`references must be a list of ${REGISTRY_LIMITS.references} at most`)
  }
  return references.map((each: unknown) => {
    if (!isJsonObject(each)) throw new Error('a reference must have name, subject and version')
    return { name: name(each, 'name'), subject: name(each, 'subject'), version: integer(each, 'version', -1) }
  })
}

function readObject(json: string, what: string): JsonObject {
  const { depth, jsonValues } = REGISTRY_LIMITS
  const value = parseJson(json, { maxDepth: depth, maxValues: jsonValues })
  if (!isJsonObject(value)) throw new Error(`the ${what} is not an object`)
  return value
}

function text(of: JsonObject, member: string): string {
  const value = of[member]
  if (typeof value !== 'string') throw new Error(`${member} is not a text`)
  return value
}

function name(of: JsonObject, member: string): string {
  const value = text(of, member)
  if (value.length > REGISTRY_LIMITS.nameLength) throw new Error(`${member} is too long`)
  return value
}

function integer(of: JsonObject, member: string, least: number): number {
  const value = of[member]
  if (!Number.isInteger(value) || Number(value) < least || Number(value) > 2 ** 31 - 1) {
    throw new Error(`${member} is not a whole number from ${least} to 2^31-1`)
  }
  return Number(value)
}

/** A setting without the subject, which stands in the key. */
function settings({ subject: _, ...value }: JsonObject): JsonObject {
  return value
}
