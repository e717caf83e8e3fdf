import protobuf from 'protobufjs'
import { difference } from '../schema-format.ts'
import { compareOneofs, memberOf } from './oneof-diff.ts'
import type { ProtoFile } from './proto-file.ts'

const SCALAR_KINDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['int32', 'int64', 'uint32', 'uint64', 'bool'].map((type) => [type, 'general number'])),
  ...Object.fromEntries(['sint32', 'sint64'].map((type) => [type, 'signed number'])),
  ...Object.fromEntries(['string', 'bytes'].map((type) => [type, 'string or bytes'])),
  ...Object.fromEntries(['fixed32', 'sfixed32'].map((type) => [type, 'fixed32'])),
  ...Object.fromEntries(['fixed64', 'sfixed64'].map((type) => [type, 'fixed64'])),
}

/** The type of a field, or of the keys or values of a map. */
interface FieldType {
  readonly type: string
  readonly resolved: protobuf.ReflectionObject | null
  readonly label?: string | undefined
}

interface MessagePair {
  readonly before: protobuf.Type
  readonly after: protobuf.Type
  readonly path: string
}

/** What makes readers of `update` misread what `original` wrote, by the rules that Confluent documents for Protobuf. */
export class ProtoDiff {
  readonly #original: ProtoFile
  readonly #update: ProtoFile
  /** Pairs of messages that were seen: a message that contains itself is as compatible as the rest of it. */
  readonly #seen = new Map<protobuf.Type, Set<protobuf.Type>>()
  /** Those that wait: a chain of messages may be longer than a stack is deep. */
  readonly #waiting: MessagePair[] = []
  readonly #differences: string[] = []

  constructor(original: ProtoFile, update: ProtoFile) {
    this.#original = original
    this.#update = update
  }

  compare(): readonly string[] {
    if (this.#original.package !== this.#update.package) this.#add('PACKAGE_CHANGED', '#/')
    this.#compareTypes(this.#original.types, this.#update.types, '#')
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) this.#compareMessages(next)
    return this.#differences
  }

  #add(type: string, path: string): void {
    this.#differences.push(difference(type, path))
  }

  #compareTypes(
    before: readonly protobuf.ReflectionObject[],
    after: readonly protobuf.ReflectionObject[],
    path: string,
  ): void {
    const update = new Map(after.map((type) => [type.name, type]))
    for (const type of before) {
      if (!(type instanceof protobuf.Type)) continue
      const other = update.get(type.name)
      if (other instanceof protobuf.Type) this.#plan(type, other, `${path}/${type.name}`)
      else this.#add('MESSAGE_REMOVED', `${path}/${type.name}`)
    }
  }

  #plan(before: protobuf.Type, after: protobuf.Type, path: string): void {
    const seen = this.#seen.get(before) ?? new Set()
    this.#seen.set(before, seen)
    if (!seen.has(after)) this.#waiting.push({ before, after, path })
    seen.add(after)
  }

  #compareMessages({ before, after, path }: MessagePair): void {
    this.#differences.push(...compareOneofs(before, after, path))
    const fields = { before: byTag(before), after: byTag(after) }
    for (const tag of new Set([...fields.before.keys(), ...fields.after.keys()])) {
      this.#compareFields(fields.before.get(tag), fields.after.get(tag), `${path}/${tag}`)
    }
    this.#compareTypes(before.nestedArray, after.nestedArray, path)
  }

  #compareFields(before: protobuf.Field | undefined, after: protobuf.Field | undefined, path: string): void {
    if (before === undefined) {
      if (after?.required) this.#add('REQUIRED_FIELD_ADDED', path)
    } else if (after === undefined) {
      if (before.required) this.#add('REQUIRED_FIELD_REMOVED', path)
    } else if (before instanceof protobuf.MapField && after instanceof protobuf.MapField) {
      const key = (field: protobuf.MapField) => ({ type: field.keyType, resolved: null })
      this.#compareFieldTypes(key(before), key(after), path)
      const value = (field: protobuf.MapField) => ({ type: field.type, resolved: field.resolvedType })
      this.#compareFieldTypes(value(before), value(after), path)
    } else if (before instanceof protobuf.MapField || after instanceof protobuf.MapField) {
      this.#add('FIELD_KIND_CHANGED', path)
    } else {
      const typeOf = (field: protobuf.Field, { isProto2 }: ProtoFile) => ({
        type: field.type,
        resolved: field.resolvedType,
        label: labelOf(field, isProto2),
      })
      this.#compareFieldTypes(typeOf(before, this.#original), typeOf(after, this.#update), path)
    }
  }

  #compareFieldTypes(before: FieldType, after: FieldType, path: string): void {
    const change = this.#typeChange(before, after)
    if (change !== undefined) this.#add(change, path)
    else if (before.resolved instanceof protobuf.Type && after.resolved instanceof protobuf.Type) {
      this.#plan(before.resolved, after.resolved, path)
    }
  }

  #typeChange(before: FieldType, after: FieldType): string | undefined {
    const isMessage = (field: FieldType) => field.resolved instanceof protobuf.Type
    if (isMessage(before) !== isMessage(after)) return 'FIELD_KIND_CHANGED'
    if (isMessage(before) && before.resolved !== null && after.resolved !== null) {
      const isSameName = this.#original.localName(before.resolved) === this.#update.localName(after.resolved)
      return isSameName ? undefined : 'FIELD_NAMED_TYPE_CHANGED'
    }
    const kind = scalarKind(before)
    if (kind !== scalarKind(after)) return 'FIELD_SCALAR_KIND_CHANGED'
    // Of texts the last one counts, packed numbers are read otherwise than single ones.
    const isLabelChanged = before.label !== undefined && after.label !== undefined && before.label !== after.label
    return isLabelChanged && kind !== SCALAR_KINDS['string'] ? 'FIELD_NUMERIC_LABEL_CHANGED' : undefined
  }
}

function byTag(type: protobuf.Type): Map<number, protobuf.Field> {
  return new Map(type.fieldsArray.map((field) => [field.id, field]))
}

/** Enums are numbers on the wire. */
function scalarKind({ type, resolved }: FieldType): string {
  return resolved instanceof protobuf.Enum ? 'general number' : (SCALAR_KINDS[type] ?? type)
}

/** The label as it is written; without one, as proto3 allows it, there is nothing to compare. */
function labelOf(field: protobuf.Field, isProto2: boolean): string | undefined {
  if (field.repeated) return 'repeated'
  if (field.required) return 'required'
  if (memberOf(field) !== undefined) return undefined
  return isProto2 || field.options?.['proto3_optional'] === true ? 'optional' : undefined
}
