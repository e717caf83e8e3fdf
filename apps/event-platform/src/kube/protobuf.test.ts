import { LIMITS } from '@taproom/core/limits'
import { describe, expect, it } from 'vitest'
import { readProtobufObject } from './protobuf.ts'

const field = (number: number, content: Buffer | string) => {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from([number * 8 + 2, ...varint(bytes.length)]), bytes])
}
function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}
const message = (...fields: Buffer[]) => Buffer.concat(fields)
const body = (metadata: Buffer, { kind = 'Namespace', more = Buffer.alloc(0) } = {}) =>
  message(Buffer.from('k8s\0'), field(1, message(field(1, 'v1'), field(2, kind))), field(2, field(1, metadata)), more)
const label = (key: string, value: string) => field(11, message(field(1, key), field(2, value)))

describe('an object in protobuf', () => {
  it('is read with its labels, past numbers of any size', () => {
    const longest = Buffer.from([7 * 8, ...Array.from({ length: 9 }, () => 0xff), 1])
    expect(readProtobufObject(body(message(longest, field(1, 'tap'), label('a', 'b'))))).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'tap', labels: { a: 'b' }, annotations: {} },
    })
  })

  it('has no more fields than a resource may have values, wherever they are', () => {
    const many = (count: number) => Buffer.alloc(count * 2, Buffer.from([0x7a, 0]))
    readProtobufObject(body(field(1, 'tap'), { more: many(LIMITS.objectValues - 100) }))
    const labels = message(...Array.from({ length: 4000 }, (_, i) => label(`l${i}`, 'x')))
    for (const hostile of [
      body(many(LIMITS.objectValues)),
      body(labels),
      body(field(1, 'a'), { more: many(500_000) }),
    ]) {
      expect(() => readProtobufObject(hostile)).toThrow(/more than 10000 fields/)
    }
  })

  it.each<[string, Buffer]>([
    ['a length past its end', Buffer.from([0x0a, 0x7f])],
    ['a length of 4 GiB', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])],
    ['a number without end', Buffer.alloc(20, 0xff)],
    ['half a number', Buffer.from([0x08, 0x80])],
    ['field 0', Buffer.from([0x02, 0])],
    ['a group', Buffer.from([0x0b])],
    ['a fixed number past its end', Buffer.from([0x09, 1])],
  ])('is refused with %s', (_case, bytes) => {
    expect(() => readProtobufObject(message(Buffer.from('k8s\0'), bytes))).toThrow(
      expect.objectContaining({ status: 400 }),
    )
  })

  it('is nothing but a namespace: of others it would be read in part only', () => {
    for (const kind of ['DeleteOptions', 'Trigger', '']) {
      expect(() => readProtobufObject(body(field(1, 'x'), { kind }))).toThrow(expect.objectContaining({ status: 415 }))
    }
    expect(() => readProtobufObject(Buffer.from('{}'))).toThrow(expect.objectContaining({ status: 400 }))
  })
})
