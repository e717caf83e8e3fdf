import { describe, expect, it } from 'vitest'
import { addLines, joinLines } from '../page/logs/line-list.ts'

const MOST_CHARACTERS = 48 * 1024 * 1024

const lines = (firstId: number, count: number, text = '') =>
  Array.from({ length: count }, (_, index) => ({
    id: firstId + index,
    time: 1,
    service: 'a',
    level: 'info' as const,
    msg: text,
    fields: {},
  }))
const idsOf = (list: readonly { readonly id: number }[]) => [list[0]?.id, list.at(-1)?.id]

describe('lines of the page', () => {
  it('are the newest 100,000, each once', () => {
    const first = addLines([], lines(1, 99_000))
    expect(idsOf(addLines(first, lines(98_001, 3000)))).toEqual([1001, 101_000])
  })

  it('are so many characters, the newest line whatever its length', () => {
    const text = 'x'.repeat(8 * 1024 * 1024)
    const list = addLines(addLines([], lines(1, 5, text)), lines(6, 2, text))
    expect(idsOf(list)).toEqual([3, 7])
    expect(idsOf(joinLines(lines(2, 1, text), list))).toEqual([3, 7])
    expect(idsOf(joinLines(lines(2, 1), list))).toEqual([2, 7])
    expect(idsOf(addLines(list, lines(8, 1, 'x'.repeat(MOST_CHARACTERS))))).toEqual([8, 8])
  })
})
