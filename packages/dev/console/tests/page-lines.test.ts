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
    const text = 'x'.repeat(1024 * 1024)
    let list = addLines([], lines(1, 10, text))
    for (let id = 11; id <= 101; id += 10) list = addLines(list, lines(id, 10, text))
    expect(idsOf(list)).toEqual([64, 110])
    expect(idsOf(joinLines(lines(54, 10, text), list))).toEqual([64, 110])
    expect(idsOf(joinLines(lines(63, 1), list))).toEqual([63, 110])
    expect(idsOf(addLines(list, lines(111, 1, 'x'.repeat(MOST_CHARACTERS))))).toEqual([111, 111])
  })
})
