import { describe, expect, it } from 'vitest'
import { MalformedFrameError } from '../errors.ts'
import type { Codec, Infer, Version } from './codec.ts'
import {
  array,
  bool,
  bytes,
  int16,
  int32,
  int64,
  nullableArray,
  nullableBytes,
  nullableString,
  string,
  uuid,
} from './primitives.ts'
import { Reader } from './reader.ts'
import { between, constant, since, struct, tagged } from './struct.ts'
import { Writer } from './writer.ts'

const OLD: Version = { number: 1, flexible: false }
const NEW: Version = { number: 9, flexible: true }

function encode<T>(codec: Codec<T>, value: T, version: Version): Buffer {
  const writer = new Writer()
  codec.write(writer, value, version)
  const { length } = writer
  const encoded = Buffer.concat(writer.finish())
  expect(encoded).toHaveLength(length)
  return encoded
}

const person = struct({
  name: string,
  nick: nullableString,
  flag: bool,
  small: int16,
  middle: int32,
  large: int64,
  id: uuid,
  raw: bytes,
  maybeRaw: nullableBytes,
  list: array(int32),
  maybeList: nullableArray(struct({ item: string })),
  early: between(0, 1, int32, -1),
  late: since(2, int32, -1),
  fixed: constant(int32, 42),
  note: tagged(3, 2, string, ''),
})

const value: Infer<typeof person> = {
  name: 'Zoë',
  nick: null,
  flag: true,
  small: -2,
  middle: 2 ** 31 - 1,
  large: -(2 ** 52) - 3,
  id: '00112233445566778899aabbccddeeff',
  raw: Buffer.alloc(10_000, 7),
  maybeRaw: null,
  list: [1, 2, 3],
  maybeList: [{ item: 'x'.repeat(300) }],
  early: 5,
  late: 6,
  note: 'tagged',
}

describe('struct', () => {
  it('reads what it wrote, without the fields an old version lacks', () => {
    expect(person.read(new Reader(encode(person, value, OLD)), OLD)).toEqual({ ...value, late: -1, note: '' })
  })

  it('reads what it wrote in a flexible version, tagged fields included', () => {
    expect(person.read(new Reader(encode(person, value, NEW)), NEW)).toEqual({ ...value, early: -1 })
  })

  it('leaves tagged fields with their default out', () => {
    const small = struct({ note: tagged(0, 0, string, '') })
    expect(encode(small, { note: '' }, NEW)).toEqual(Buffer.from([0]))
    expect(encode(small, { note: 'a' }, NEW)).toEqual(Buffer.from([1, 0, 2, 2, 97]))
  })

  it('skips tagged fields it does not know', () => {
    const small = struct({ note: tagged(0, 0, string, '') })
    const reader = new Reader(Buffer.from([2, 9, 2, 1, 1, 0, 2, 2, 97, 77]))
    // Unknown tags come in any order with their size.
    expect(small.read(reader, NEW)).toEqual({ note: 'a' })
    expect(reader.remaining).toBe(1)
  })

  it('throws on every cut-off encoding instead of making values up', () => {
    const encoded = encode(person, { ...value, raw: Buffer.from('raw') }, NEW)
    for (let size = 0; size < encoded.length; size += 1) {
      expect(() => person.read(new Reader(encoded.subarray(0, size)), NEW)).toThrow(MalformedFrameError)
    }
  })

  it('refuses null where a value is required and lengths beyond the frame', () => {
    expect(() => string.read(new Reader(Buffer.from([0xff, 0xff])), OLD)).toThrow(MalformedFrameError)
    expect(() => array(int32).read(new Reader(Buffer.from([0x7f, 0xff, 0xff, 0xff])), OLD)).toThrow(MalformedFrameError)
    expect(() => bytes.read(new Reader(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff])), NEW)).toThrow(
      MalformedFrameError,
    )
  })

  it('clamps 64-bit integers that no JavaScript number holds', () => {
    expect(int64.read(new Reader(Buffer.from('7fffffffffffffff', 'hex')), OLD)).toBe(Number.MAX_SAFE_INTEGER)
    expect(int64.read(new Reader(Buffer.from('ffffffffffffffff', 'hex')), OLD)).toBe(-1)
  })
})
