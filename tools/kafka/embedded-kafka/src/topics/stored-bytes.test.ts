import { describe, expect, it } from 'vitest'
import { ErrorCode } from '../protocol/error-code.ts'
import { type Stored, StoredBytes } from './stored-bytes.ts'

/** Something stored in pieces of these sizes, oldest first, the last `kept` of which cannot be dropped. */
function makeStored(pieces: number[], kept = 0): Stored & { readonly pieces: readonly number[] } {
  return {
    pieces,
    get sizeInBytes() {
      return pieces.reduce((sum, size) => sum + size, 0)
    },
    dropOldest: () => pieces.length > kept && pieces.shift() !== undefined,
  }
}

describe('StoredBytes', () => {
  it('drops nothing while there is room', () => {
    const only = makeStored([50, 50])
    const stored = new StoredBytes({ maxBytes: 160, all: () => [only] })
    for (let count = 0; count < 16; count += 1) {
      stored.makeRoomFor(10)
      stored.add(10)
    }
    expect(only.pieces).toEqual([50, 50])
  })

  it('drops the oldest of whatever is largest, until there is some room', () => {
    const all = [makeStored([10, 10]), makeStored([30, 30, 30]), makeStored([40])]
    const stored = new StoredBytes({ maxBytes: 100, all: () => all })
    stored.add(100)
    stored.makeRoomFor(1)
    expect(all.map(({ pieces }) => pieces)).toEqual([[10, 10], [30], [40]])
  })

  it('passes over what cannot be dropped, and refuses more when nothing can', () => {
    const all = [makeStored([60], 1), makeStored([30], 0)]
    const stored = new StoredBytes({ maxBytes: 80, all: () => all })
    stored.add(80)
    stored.makeRoomFor(10)
    expect(all.map(({ pieces }) => pieces)).toEqual([[60], []])
    const refused = expect.objectContaining({ errorCode: ErrorCode.KAFKA_STORAGE_ERROR })
    expect(() => stored.makeRoomFor(30)).toThrow(refused)
    expect(() => stored.makeRoomFor(10)).not.toThrow()
  })
})
