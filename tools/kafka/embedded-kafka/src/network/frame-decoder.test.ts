import { describe, expect, it } from 'vitest'
import { MalformedFrameError } from '../errors.ts'
import { FrameDecoder } from './frame-decoder.ts'

const STREAM = Buffer.from([0, 0, 0, 1, 65, 0, 0, 0, 3, 66, 67, 68, 0, 0, 0, 2, 69, 70])
const FRAMES = ['A', 'BCD', 'EF']

describe('FrameDecoder', () => {
  it('finds the same frames however the stream is cut', () => {
    for (let size = 1; size <= STREAM.length; size += 1) {
      const decoder = new FrameDecoder(10)
      const frames: string[] = []
      for (let at = 0; at < STREAM.length; at += size) {
        frames.push(...decoder.push(STREAM.subarray(at, at + size)).map(String))
      }
      expect(frames).toEqual(FRAMES)
    }
  })

  it('takes a frame of exactly the limit and none beyond it', () => {
    expect(new FrameDecoder(2).push(Buffer.from([0, 0, 0, 2, 1, 2]))).toHaveLength(1)
    expect(() => new FrameDecoder(2).push(Buffer.from([0, 0, 0, 3]))).toThrow(MalformedFrameError)
    expect(() => new FrameDecoder(2).push(Buffer.from([0x80, 0, 0, 0]))).toThrow(MalformedFrameError)
  })

  it('holds no more than twice of what has arrived, however long the frame will be', () => {
    const decoder = new FrameDecoder(100_000_000)
    decoder.push(Buffer.from([5, 0, 0, 0]))
    expect([decoder.isWithinFrame, decoder.heldBytes]).toEqual([true, 0])
    for (let sent = 0; sent < 10_000; sent += 1) decoder.push(Buffer.alloc(1))
    expect(decoder.heldBytes).toBeLessThanOrEqual(20_000)
  })

  it('takes frames beyond a mebibyte only where records are produced', () => {
    const begin = (key: number) => Buffer.from([0, 0x20, 0, 0, 0, key])
    expect(new FrameDecoder(100_000_000).push(begin(0))).toEqual([])
    expect(() => new FrameDecoder(100_000_000).push(begin(1))).toThrow(MalformedFrameError)
    const inParts = new FrameDecoder(100_000_000)
    inParts.push(begin(1).subarray(0, 5))
    expect(() => inParts.push(Buffer.from([1]))).toThrow(MalformedFrameError)
  })
})
