import { describe, expect, it } from 'vitest'
import { makeBatch } from '../../tests/make-batch.ts'
import { placeBatch } from '../records/record-batch.ts'
import { MemoryFile } from '../storage/memory-file.ts'
import { Segment } from './segment.ts'

describe('Segment', () => {
  it('keeps exactly the whole batches of a file that was cut at any byte', () => {
    const batches = [10, 200, 1].map((bytes, index) => {
      const batch = makeBatch({ bytes })
      placeBatch(batch, index)
      return batch
    })
    const whole = Buffer.concat(batches)
    const ends = batches.map((_, index) => Buffer.concat(batches.slice(0, index + 1)).length)
    for (let size = 0; size <= whole.length; size += 1) {
      const file = new MemoryFile()
      file.append(whole.subarray(0, size))
      const segment = new Segment({ baseOffset: 0, generation: 0 }, file)
      segment.recover(() => {})
      const kept = ends.filter((end) => end <= size).length
      expect(segment.nextOffset).toBe(kept)
      expect(file.size).toBe(ends[kept - 1] ?? 0)
    }
  })

  it('cuts at a batch whose bytes changed', () => {
    const first = makeBatch()
    const second = makeBatch()
    placeBatch(second, 1)
    second.writeUInt8(99, 65)
    const file = new MemoryFile()
    file.append(Buffer.concat([first, second]))
    const segment = new Segment({ baseOffset: 0, generation: 0 }, file)
    segment.recover(() => {})
    expect(segment.nextOffset).toBe(1)
  })
})
