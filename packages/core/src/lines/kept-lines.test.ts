import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { KeptLines } from './index.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** What is still needed of the heap. */
function heapBytes(): number {
  collect()
  return process.memoryUsage().heapUsed
}

function keptOf(count: number, limits: { readonly maxLines?: number; readonly maxCharacters?: number }, json = 'x') {
  const kept = new KeptLines<{ id: number; json: string }>({ maxLines: 1000, maxCharacters: 1000, ...limits })
  for (let id = 1; id <= count; id += 1) kept.push({ id, json })
  return kept
}

describe('KeptLines', () => {
  it('keeps so many lines, and finds them by their places', () => {
    for (const count of [3, 4, 5, 20]) {
      const kept = keptOf(count, { maxLines: 3 })
      expect(kept.length).toBe(3)
      expect(kept.from(0).map(({ id }) => id)).toEqual([count - 2, count - 1, count])
      expect(kept.from(2).map(({ id }) => id)).toEqual([count])
      expect(kept.from(-5)).toHaveLength(3)
      expect([kept.at(0)?.id, kept.at(2)?.id, kept.at(3), kept.at(-1)?.id]).toEqual([
        count - 2,
        count,
        undefined,
        count,
      ])
    }
  })

  it('keeps so many characters, and the newest line whatever its length', () => {
    const kept = keptOf(20, { maxCharacters: 25 }, 'x'.repeat(10))
    expect(kept.from(0).map(({ id }) => id)).toEqual([19, 20])
    kept.push({ id: 21, json: 'y'.repeat(500) })
    expect(kept.from(0).map(({ id }) => id)).toEqual([21])
    kept.push({ id: 22, json: 'z' })
    expect(kept.from(0).map(({ id }) => id)).toEqual([22])
  })

  it('holds in memory what it keeps, and little more', () => {
    const kept = keptOf(0, { maxCharacters: 1024 * 1024 })
    const before = heapBytes()
    for (let id = 1; id <= 2000; id += 1) kept.push({ id, json: Buffer.alloc(60_000, 'x').toString() })
    expect(heapBytes() - before).toBeLessThan(10 * 1024 * 1024)
    expect(kept.length).toBe(17)
  })
})
