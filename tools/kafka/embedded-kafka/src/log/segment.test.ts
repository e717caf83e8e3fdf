import { describe, expect, it } from 'vitest'
import { makeBatch } from '../../tests/make-batch.ts'
import { type BatchHeader, placeBatch, readBatchHeader } from '../records/record-batch.ts'
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

  it('looks for a time only in batches that are not deleted', () => {
    class CountingFile extends MemoryFile {
      bytesRead = 0
      override read(position: number, length: number): Buffer {
        const bytes = super.read(position, length)
        this.bytesRead += bytes.length
        return bytes
      }
    }
    const file = new CountingFile()
    const segment = new Segment({ baseOffset: 0, generation: 0 }, file)
    for (let offset = 0; offset < 1000; offset += 1) {
      const batch = makeBatch({ bytes: 5000 })
      placeBatch(batch, offset)
      segment.append(batch, readBatchHeader(batch) as BatchHeader)
    }
    expect([...segment.batchesSince(0, 990)].map(({ header }) => header.baseOffset)).toHaveLength(10)
    expect(file.bytesRead).toBeLessThan(200_000)
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
