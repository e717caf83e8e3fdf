import type { Codec, Version } from './codec.ts'
import type { Reader } from './reader.ts'
import { Writer } from './writer.ts'

interface Presence {
  readonly since: number
  readonly until: number
  readonly tag: number | undefined
}

/** A field that only some versions have; in the others it reads as `absent`. */
export interface Field<T> extends Presence {
  readonly codec: Codec<T>
  readonly absent: T
}

/** A field that is the same in all answers unless one gives it: handlers need not know it. */
export interface Constant extends Presence {
  readonly constant: Codec<unknown>
  readonly value: unknown
}

type Shape = Readonly<Record<string, Codec<unknown> | Field<unknown> | Constant>>
type ValueOf<F> = F extends Field<infer T> ? T : F extends Codec<infer T> ? T : never

export type StructOf<S extends Shape> = { readonly [K in keyof S as S[K] extends Constant ? never : K]: ValueOf<S[K]> }

/** A field that exists since version `first`. */
export function since<T>(first: number, codec: Codec<T>, absent: T): Field<T> {
  return { codec, absent, since: first, until: Number.POSITIVE_INFINITY, tag: undefined }
}

/** A field that exists from version `first` to version `last`. */
export function between<T>(first: number, last: number, codec: Codec<T>, absent: T): Field<T> {
  return { codec, absent, since: first, until: last, tag: undefined }
}

/** An optional field of flexible versions, written only when it differs from `absent`. */
export function tagged<T>(tag: number, first: number, codec: Codec<T>, absent: T): Field<T> {
  return { codec, absent, since: first, until: Number.POSITIVE_INFINITY, tag }
}

/** A field with the same value in every answer that does not give another one; ignored in requests. */
export function constant<T>(codec: Codec<T>, value: T, first = 0, last = Number.POSITIVE_INFINITY): Constant {
  return { constant: codec, value, since: first, until: last, tag: undefined }
}

type Entry = Presence & {
  readonly name: string
  readonly codec: Codec<unknown>
  readonly absent: unknown
  readonly fixed: boolean
}

function entryOf(name: string, field: Codec<unknown> | Field<unknown> | Constant): Entry {
  if ('codec' in field) return { ...field, name, fixed: false }
  if ('constant' in field) return { ...field, name, codec: field.constant, absent: field.value, fixed: true }
  return {
    name,
    codec: field,
    absent: undefined,
    since: 0,
    until: Number.POSITIVE_INFINITY,
    tag: undefined,
    fixed: false,
  }
}

function carries(entry: Entry, version: Version): boolean {
  return version.number >= entry.since && version.number <= entry.until
}

/** A codec for an object; its fields have the order in which they are written here. */
export function struct<S extends Shape>(shape: S): Codec<StructOf<S>> {
  const entries = Object.entries(shape).map(([name, field]) => entryOf(name, field))
  const ordered = entries.filter((entry) => entry.tag === undefined)
  const optional = entries.filter((entry) => entry.tag !== undefined)

  function readTagged(reader: Reader, value: Record<string, unknown>, version: Version): void {
    const count = reader.uvarint()
    reader.items(count)
    for (let left = count; left > 0; left -= 1) {
      const tag = reader.uvarint()
      const size = reader.uvarint()
      const entry = optional.find((each) => each.tag === tag && carries(each, version))
      if (entry) value[entry.name] = entry.codec.read(reader, version)
      else reader.bytes(size)
    }
  }

  function writeTagged(writer: Writer, value: Record<string, unknown>, version: Version): void {
    const present = optional.filter((entry) => carries(entry, version) && value[entry.name] !== entry.absent)
    writer.uvarint(present.length)
    for (const entry of present) {
      const body = new Writer()
      entry.codec.write(body, value[entry.name], version)
      writer.uvarint(entry.tag ?? 0)
      writer.uvarint(body.length)
      for (const part of body.finish()) writer.bytes(part)
    }
  }

  return {
    read(reader, version) {
      const value: Record<string, unknown> = {}
      for (const entry of ordered) {
        const read = carries(entry, version) ? entry.codec.read(reader, version) : entry.absent
        if (!entry.fixed) value[entry.name] = read
      }
      for (const entry of optional) value[entry.name] = entry.absent
      if (version.flexible) readTagged(reader, value, version)
      return value as StructOf<S>
    },
    write(writer, value, version) {
      const fields = value as Record<string, unknown>
      for (const entry of ordered) {
        if (!carries(entry, version)) continue
        const value = fields[entry.name]
        entry.codec.write(writer, entry.fixed && value === undefined ? entry.absent : value, version)
      }
      if (version.flexible) writeTagged(writer, fields, version)
    },
  }
}

/** A struct that may be missing, which takes a byte to say. */
export function nullableStruct<T>(codec: Codec<T>): Codec<T | null> {
  return {
    read: (reader, version) => (reader.int8() < 0 ? null : codec.read(reader, version)),
    write(writer, value, version) {
      writer.int8(value === null ? -1 : 1)
      if (value !== null) codec.write(writer, value, version)
    },
  }
}
