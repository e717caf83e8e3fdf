import type { Codec, Version } from '../../src/wire/codec.ts'
import * as primitives from '../../src/wire/primitives.ts'
import type { Reader } from '../../src/wire/reader.ts'
import { nullableStruct } from '../../src/wire/struct.ts'
import { Writer } from '../../src/wire/writer.ts'
import { type DefinedField, has } from './message-definition.ts'

/** A struct by the names of its fields. */
export type Sample = { [name: string]: unknown }

const PRIMITIVES: Readonly<Record<string, Codec<unknown>>> = {
  bool: primitives.bool,
  int8: primitives.int8,
  int16: primitives.int16,
  uint16: primitives.uint16,
  int32: primitives.int32,
  int64: primitives.int64,
  float64: primitives.float64,
  uuid: primitives.uuid,
  string: primitives.nullableString,
  bytes: primitives.nullableBytes,
  records: primitives.nullableBytes,
}

/** Writes and reads structs as they are defined; null can be written anywhere, so that it can be seen who takes it. */
export function definedCodec(fields: readonly DefinedField[]): Codec<Sample> {
  const entries = fields.map((field) => ({ field, codec: codecOf(field) }))
  return {
    write(writer, value, version) {
      const present = entries.filter(({ field }) => has(field.versions, version.number))
      for (const { field, codec } of present) {
        if (!has(field.tagged, version.number)) codec.write(writer, value[field.name], version)
      }
      if (version.flexible) writeTagged(writer, value, version, present)
    },
    read(reader, version) {
      const value: Sample = {}
      const present = entries.filter(({ field }) => has(field.versions, version.number))
      for (const { field, codec } of present) {
        if (!has(field.tagged, version.number)) value[field.name] = codec.read(reader, version)
      }
      if (version.flexible) readTagged(reader, value, version, present)
      return value
    },
  }
}

type Entries = readonly { readonly field: DefinedField; readonly codec: Codec<unknown> }[]

function writeTagged(writer: Writer, value: Sample, version: Version, entries: Entries): void {
  const tagged = entries.filter(({ field }) => has(field.tagged, version.number) && field.name in value)
  writer.uvarint(tagged.length)
  for (const { field, codec } of tagged) {
    const body = new Writer()
    codec.write(body, value[field.name], version)
    writer.uvarint(field.tag ?? -1)
    writer.uvarint(body.length)
    for (const part of body.finish()) writer.bytes(part)
  }
}

function readTagged(reader: Reader, value: Sample, version: Version, entries: Entries): void {
  for (let left = reader.uvarint(); left > 0; left -= 1) {
    const tag = reader.uvarint()
    const entry = entries.find(({ field }) => field.tag === tag && has(field.tagged, version.number))
    if (!entry) throw new Error(`tag ${tag} is not defined in version ${version.number}`)
    const before = reader.remaining
    const size = reader.uvarint()
    const behind = reader.remaining - size
    value[entry.field.name] = entry.codec.read(reader, version)
    if (reader.remaining !== behind)
      throw new Error(`tag ${tag}: ${before - reader.remaining} bytes in place of ${size}`)
  }
}

function codecOf(field: DefinedField): Codec<unknown> {
  const item = PRIMITIVES[field.type.replace('[]', '')] ?? definedCodec(field.fields)
  if (field.type.startsWith('[]')) return primitives.nullableArray(item) as Codec<unknown>
  const isNullableStruct = field.fields.length > 0 && field.nullable.first <= field.nullable.last
  return (isNullableStruct ? nullableStruct(item) : item) as Codec<unknown>
}
