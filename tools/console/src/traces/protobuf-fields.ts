import type protobuf from 'protobufjs'
import type { AttributeValue } from '../api/traces.ts'
import type { AttributesDraft } from './attributes-draft.ts'
import type { Reading } from './reading.ts'
import { type DraftAttributes, numberValue, setAttribute } from './span-draft.ts'

export type Reader = protobuf.Reader

export const VARINT = 0
export const FIXED64 = 1
export const BYTES = 2

/** A field by its number and its type on the wire: one of another type is skipped, as an unknown one is. */
export const field = (number: number, type: number) => (number << 3) | type

/** Calls `known` for each field of an embedded message, and skips those that it does not know. Nothing in it reaches beyond its end. */
export function message(read: Reader, known: (tag: number) => boolean): void {
  const size = read.uint32()
  const outer = read.len
  if (size > outer - read.pos) throw new RangeError(`a message of ${size} bytes at offset ${read.pos} is cut off`)
  read.len = read.pos + size
  while (read.pos < read.len) {
    const tag = read.tag()
    if (!known(tag)) skip(read, tag)
  }
  read.len = outer
}

/** Yields the tags of an embedded message. The caller reads or skips the value of each tag before it asks for the next tag. */
export function* tagsOf(read: Reader): Generator<number, void, undefined> {
  const size = read.uint32()
  const outer = read.len
  if (size > outer - read.pos) throw new RangeError(`a message of ${size} bytes at offset ${read.pos} is cut off`)
  read.len = read.pos + size
  while (read.pos < read.len) yield read.tag()
  read.len = outer
}

export function skip(read: Reader, tag: number): void {
  read.skipType(tag & 7, 0, tag >>> 3)
}

/** Reads a `KeyValue` into `draft`. */
export function readAttribute(read: Reader, draft: AttributesDraft, reading: Reading): void {
  if (!draft.takes(reading)) {
    read.skip(read.uint32())
    return
  }
  const cutBefore = reading.cut
  const { name, value } = readKeyValue(read, reading, 0)
  draft.set(name, value, reading, cutBefore)
}

function readKeyValue(read: Reader, reading: Reading, depth: number) {
  let name = ''
  let value: AttributeValue = null
  message(read, (tag) => {
    if (tag === field(1, BYTES)) name = reading.texts.read(read)
    else if (tag === field(2, BYTES)) value = readValue(read, reading, depth)
    else return false
    return true
  })
  return { name, value }
}

function readValue(read: Reader, reading: Reading, depth: number): AttributeValue {
  let value: AttributeValue = null
  message(read, (tag) => {
    switch (tag) {
      case field(1, BYTES):
        value = reading.texts.read(read)
        return true
      case field(2, VARINT):
        value = read.bool()
        return true
      case field(3, VARINT):
        value = integer(read)
        return true
      case field(4, FIXED64):
        value = numberValue(read.double())
        return true
      case field(5, BYTES):
        value = readList(read, reading, depth + 1)
        return true
      case field(6, BYTES):
        value = readMap(read, reading, depth + 1)
        return true
      case field(7, BYTES):
        value = Buffer.from(read.bytes()).toString('base64')
        return true
      default:
        return false
    }
  })
  return value
}

function readList(read: Reader, reading: Reading, depth: number): readonly AttributeValue[] {
  const list: AttributeValue[] = []
  message(read, (tag) => {
    if (tag !== field(1, BYTES) || !reading.takes(depth)) return false
    list.push(readValue(read, reading, depth))
    return true
  })
  return list
}

function readMap(read: Reader, reading: Reading, depth: number): DraftAttributes {
  const map: DraftAttributes = {}
  message(read, (tag) => {
    if (tag !== field(1, BYTES) || !reading.takes(depth)) return false
    const { name, value } = readKeyValue(read, reading, depth)
    setAttribute(map, name, value)
    return true
  })
  return map
}

/** A number where it can be exact, else its digits. */
function integer(read: Reader): number | string {
  const long = read.int64()
  const number = Number(long)
  return Number.isSafeInteger(number) ? number : long.toString()
}
