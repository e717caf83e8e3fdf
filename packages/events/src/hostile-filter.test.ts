import { describe, expect, it } from 'vitest'
import { createFilter } from './create-filter.ts'
import { FilterError } from './errors.ts'

function filterOf(cesql: string) {
  return createFilter({ filters: [{ cesql }] })
}

function eventAbout(subject: string) {
  return { specversion: '1.0', id: '1', source: '/x', type: 't', subject, extensions: {} } as const
}

describe('a filter of a hostile event', () => {
  it.each<[string, (length: number) => string]>([
    [`TRIM(subject) = 'x'`, (length) => `x${' '.repeat(length)}x`],
    [`subject LIKE '%${'a'.repeat(500)}b'`, (length) => 'a'.repeat(length)],
    [`subject LIKE '${'%a'.repeat(200)}b'`, (length) => 'a'.repeat(length)],
    [`LENGTH(subject) = 1`, (length) => 'é'.repeat(length)],
    ['subject = 1', (length) => '1'.repeat(length)],
  ])('%s takes time in proportion to the length of the attribute', (cesql, hostile) => {
    const filter = filterOf(cesql)
    const fastestMs = (length: number) => {
      const event = eventAbout(hostile(length))
      const runs = Array.from({ length: 5 }, () => {
        const startedAt = performance.now()
        filter(event)
        return performance.now() - startedAt
      })
      return Math.min(...runs)
    }
    // What grows with the square takes 64 times as long for eight times the length.
    const few = fastestMs(2000)
    expect(fastestMs(16_000)).toBeLessThan(few * 24 + 5)
  })

  it('trims every white space of Unicode, and no other character', () => {
    const event = eventAbout('\u0020\u00a0\u3000\ufeffx y\u2028')
    expect(filterOf(`TRIM(subject) = '\ufeffx y'`)(event)).toBe(true)
    expect(filterOf(`TRIM(subject) = ''`)({ ...event, subject: ' '.repeat(3) })).toBe(true)
  })
})

describe('a hostile filter', () => {
  const nested = (depth: number): object => {
    let filter: object = { exact: { type: 't' } }
    for (let i = 0; i < depth; i += 1) filter = i % 2 === 0 ? { not: filter } : { all: [filter] }
    return filter
  }

  it.each<[string, object]>([
    ['1 + 1 + …', { cesql: `1${' + 1'.repeat(20_000)} = 1` }],
    ['((1 + …) + …)', { cesql: `${'('.repeat(100)}1${`${' + 1'.repeat(100)})`.repeat(100)} = 1` }],
    ['LIKE … LIKE …', { cesql: `subject${" LIKE 'x'".repeat(20_000)}` }],
    ['CONCAT(id, …)', { cesql: `CONCAT(${'id,'.repeat(200_000)}id) = 'x'` }],
    ['a long LIKE', { cesql: `subject LIKE '%${'a'.repeat(1000)}'` }],
    ['not not …', nested(20_000)],
  ])('%s is refused instead of failing the events that it is asked about', (_case, filter) => {
    expect(() => createFilter({ filters: [filter as never] })).toThrow(FilterError)
  })

  it('is one that is far beyond those that are meant', () => {
    const event = eventAbout('x')
    expect(filterOf(`subject = '1' ${"OR subject = '2' ".repeat(150)}OR subject = 'x'`)(event)).toBe(true)
    expect(filterOf(`1${' + 1'.repeat(900)} = 901`)(event)).toBe(true)
    expect(filterOf(`subject IN (${"'a', ".repeat(5000)}'x')`)(event)).toBe(true)
    expect(filterOf(`CONCAT(${"'', ".repeat(99)}'x') = 'x'`)(event)).toBe(true)
    expect(createFilter({ filters: [nested(100) as never] })(event)).toBe(true)
  })
})
