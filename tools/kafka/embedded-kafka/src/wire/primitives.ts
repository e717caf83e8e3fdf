import { MalformedFrameError } from '../errors.ts'
import type { Codec, Version } from './codec.ts'
import type { Reader } from './reader.ts'
import type { Writer } from './writer.ts'

export const bool: Codec<boolean> = {
  read: (reader) => reader.int8() !== 0,
  write: (writer, value) => writer.int8(value ? 1 : 0),
}

export const int8: Codec<number> = {
  read: (reader) => reader.int8(),
  write: (writer, value) => writer.int8(value),
}

export const int16: Codec<number> = {
  read: (reader) => reader.int16(),
  write: (writer, value) => writer.int16(value),
}

export const uint16: Codec<number> = {
  read: (reader) => reader.int16() & 0xffff,
  write: (writer, value) => writer.int16(value > 0x7fff ? value - 0x10000 : value),
}

export const int32: Codec<number> = {
  read: (reader) => reader.int32(),
  write: (writer, value) => writer.int32(value),
}

export const int64: Codec<number> = {
  read: (reader) => reader.int64(),
  write: (writer, value) => writer.int64(value),
}

export const float64: Codec<number> = {
  read: (reader) => reader.float64(),
  write: (writer, value) => writer.float64(value),
}

/** Sixteen bytes as 32 hexadecimal digits. */
export const uuid: Codec<string> = {
  read: (reader) => reader.bytes(16).toString('hex'),
  write: (writer, value) => writer.bytes(Buffer.from(value, 'hex')),
}

/** The protocol's "no id". */
export const ZERO_UUID = '0'.repeat(32)

type FixedLength = 'int16' | 'int32'

/** -1 stands for null; compact lengths are one more than the length. */
function readLength(reader: Reader, version: Version, fixed: FixedLength): number {
  return version.flexible ? reader.uvarint() - 1 : reader[fixed]()
}

function writeLength(writer: Writer, length: number, version: Version, fixed: FixedLength): void {
  if (version.flexible) writer.uvarint(length + 1)
  else writer[fixed](length)
}

function nullable<T>(fixed: FixedLength, read: (reader: Reader, length: number, version: Version) => T): Reads<T> {
  return (reader, version) => {
    const length = readLength(reader, version, fixed)
    return length < 0 ? null : read(reader, length, version)
  }
}

type Reads<T> = (reader: Reader, version: Version) => T | null

function required<T>(read: Reads<T>): (reader: Reader, version: Version) => T {
  return (reader, version) => {
    const value = read(reader, version)
    if (value === null) throw new MalformedFrameError('null where a value is required')
    return value
  }
}

const readText = nullable('int16', (reader, length) => reader.text(length))
const readBytes = nullable('int32', (reader, length) => reader.bytes(length))

function writeText(writer: Writer, value: string | null, version: Version): void {
  if (value === null) {
    writeLength(writer, -1, version, 'int16')
    return
  }
  const encoded = Buffer.from(value, 'utf8')
  writeLength(writer, encoded.length, version, 'int16')
  writer.bytes(encoded)
}

function writeBytes(writer: Writer, value: Buffer | null, version: Version): void {
  if (value === null) {
    writeLength(writer, -1, version, 'int32')
    return
  }
  writeLength(writer, value.length, version, 'int32')
  writer.bytes(value)
}

export const string: Codec<string> = { read: required(readText), write: writeText }
export const nullableString: Codec<string | null> = { read: readText, write: writeText }
export const bytes: Codec<Buffer> = { read: required(readBytes), write: writeBytes }
export const nullableBytes: Codec<Buffer | null> = { read: readBytes, write: writeBytes }

/** As nullableString, but with two bytes of length in flexible versions too: the client id in the header of requests. */
export const headerString: Codec<string | null> = {
  read: (reader) => readText(reader, { number: 0, flexible: false }),
  write: (writer, value) => writeText(writer, value, { number: 0, flexible: false }),
}

function arrayOf<T>(item: Codec<T>) {
  const read = nullable('int32', (reader, length, version) => {
    reader.items(length)
    const items: T[] = []
    for (let index = 0; index < length; index += 1) items.push(item.read(reader, version))
    return items as readonly T[]
  })
  const write = (writer: Writer, value: readonly T[] | null, version: Version): void => {
    writeLength(writer, value === null ? -1 : value.length, version, 'int32')
    for (const each of value ?? []) item.write(writer, each, version)
  }
  return { read, write }
}

export function array<T>(item: Codec<T>): Codec<readonly T[]> {
  const { read, write } = arrayOf(item)
  return { read: required(read), write }
}

export function nullableArray<T>(item: Codec<T>): Codec<readonly T[] | null> {
  return arrayOf(item)
}
