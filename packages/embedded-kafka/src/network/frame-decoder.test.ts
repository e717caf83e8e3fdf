import { describe, expect, it } from 'vitest'
import { MalformedFrameError } from '../errors.ts'
import { FrameDecoder } from './frame-decoder.ts'

const STREAM = Buffer.from([0, 0, 0, 1, 65, 0, 0, 0, 3, 66, 67, 68, 0, 0, 0, 2, 69, 70])
const FRAMES = ['A', 'BCD', 'EF']

describe('FrameDecoder', () => {
  it('finds the same frames however the stream is cut', () => {
    for (let size = 1; size <= STREAM.length; size++) {
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
})
