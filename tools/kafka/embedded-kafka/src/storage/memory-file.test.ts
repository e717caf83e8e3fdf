import { describe, expect, it } from 'vitest'
import { MemoryFile } from './memory-file.ts'

const MIB = 1_048_576

/** A few MiB of which every part can be told from every other. */
function pattern(bytes: number, seed: number): Buffer {
  const all = Buffer.allocUnsafe(bytes)
  for (let at = 0; at + 4 <= bytes; at += 4) all.writeUInt32BE((seed * 16_777_259 + at * 2_654_435_761) >>> 0, at)
  return all
}

describe('MemoryFile', () => {
  const written = Array.from({ length: 7 }, (_, index) => pattern(3 * MIB + 4 * index, index + 1))
  const whole = Buffer.concat(written)
  const filled = () => {
    const file = new MemoryFile()
    for (const bytes of written) file.append(bytes)
    return file
  }

  it.each([
    ['its beginning', 0, 100],
    ['a part within a block', 5 * MIB, MIB],
    ['the end of a block', 8 * MIB - 10, 10],
    ['a part of two blocks', 8 * MIB - 10, 20],
    ['a part of three blocks', 7 * MIB, 10 * MIB],
    ['everything', 0, whole.length],
    ['more than there is', whole.length - 7, 100],
    ['nothing behind its end', whole.length + 5, 100],
  ])('gives back %s, sealed or not', (_part, position, length) => {
    const file = filled()
    for (const seal of [() => {}, () => file.seal(), () => file.seal()]) {
      seal()
      expect(file.size).toBe(whole.length)
      expect(file.read(position, length).equals(whole.subarray(position, position + length))).toBe(true)
    }
  })

  it('goes on behind where it was cut off', () => {
    for (const size of [0, 5, 8 * MIB, 8 * MIB + 1]) {
      const file = filled()
      file.truncate(size)
      file.append(Buffer.from('more'))
      expect(file.size).toBe(size + 4)
      expect(file.read(0, size + 100).equals(Buffer.concat([whole.subarray(0, size), Buffer.from('more')]))).toBe(true)
    }
  })

  it('does not copy what it reads, but for parts of two blocks', () => {
    const file = filled()
    const [one, again] = [file.read(MIB, MIB), file.read(MIB, MIB)]
    expect(one.buffer).toBe(again.buffer)
  })

  it('does not copy again what it has, to append more', () => {
    const file = filled()
    const before = file.read(9 * MIB, 1).buffer
    for (const bytes of written) file.append(bytes)
    expect(file.read(9 * MIB, 1).buffer).toBe(before)
    file.seal()
    expect(file.read(9 * MIB, 1).buffer).toBe(before)
  })
})
