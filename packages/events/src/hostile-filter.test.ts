import { describe, expect, it } from 'vitest'
import { createFilter } from './create-filter.ts'
import { FilterError } from './errors.ts'

function filterOf(cesql: string) {
  return createFilter({ filters: [{ cesql }] })
}

function eventAbout(subject: string) {
  return { specversion: '1.0', id: '1', source: '/x', type: 't', subject } as const
}

describe('a filter of a hostile event', () => {
  it('that makes a text of any length of its attributes is no match', () => {
    const event = eventAbout('x'.repeat(10_000))
    expect(filterOf(`LENGTH(CONCAT(subject, 'y')) = 10001`)(event)).toBe(true)
    expect(filterOf(`LENGTH(CONCAT(CONCAT(subject, subject), subject)) > 0`)(event)).toBe(false)
    expect(filterOf(`LENGTH(CONCAT_WS(subject, 'a', 'b', 'c')) > 0`)(event)).toBe(false)
  })

  it('takes no long text for a number', () => {
    expect(filterOf('subject = 1')(eventAbout(`${'0'.repeat(99)}1`))).toBe(true)
    expect(filterOf('subject = 1')(eventAbout(`${'0'.repeat(10_000)}1`))).toBe(false)
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
    ['a long expression', { cesql: `subject IN (${"'a', ".repeat(10_000)}'x')` }],
    ['an unclosed string', { cesql: `'${'a'.repeat(1_000_000)}` }],
    ['many LIKEs', { any: Array.from({ length: 3 }, () => ({ cesql: `subject LIKE '%${'a'.repeat(200)}'` })) }],
    ['many functions', { cesql: Array.from({ length: 52 }, () => `LENGTH(id) = 1`).join(' OR ') }],
    ['many dialects', { any: Array.from({ length: 1001 }, () => ({ exact: { type: 't' } })) }],
    ['many attributes', { exact: Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`k${index}`, 'x'])) }],
  ])('%s is refused instead of failing the events that it is asked about', (_case, filter) => {
    expect(() => createFilter({ filters: [filter as never] })).toThrow(FilterError)
  })

  it('of many attributes is refused as a filter of attributes, too', () => {
    const attributes = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`k${index}`, 'x']))
    expect(() => createFilter({ filter: { attributes } })).toThrow(FilterError)
  })

  it('is named with the start of its place, and nothing that writes to a terminal', () => {
    const name = `\u001b\u2028${'x'.repeat(100_000)}`
    for (const filter of [
      { exact: { [name]: 'x' } },
      { [name]: 'x' },
      { cesql: name },
      { cesql: `${name.slice(2)}(` },
    ]) {
      const refused = () => createFilter({ filters: [filter as never] })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
      expect(refused).toThrow(expect.objectContaining({ message: expect.stringMatching(/^[^\u001b\u2028]{1,500}$/) }))
    }
  })

  it('is one that is far beyond those that are meant', () => {
    const event = eventAbout('x')
    expect(filterOf(Array.from({ length: 40 }, () => `subject LIKE 'com.example.%.b'`).join(' OR '))(event)).toBe(false)
    expect(filterOf(`subject = '1' ${"OR subject = '2' ".repeat(150)}OR subject = 'x'`)(event)).toBe(true)
    expect(filterOf(`1${' + 1'.repeat(900)} = 901`)(event)).toBe(true)
    expect(filterOf(`subject IN (${"'a', ".repeat(5000)}'x')`)(event)).toBe(true)
    expect(filterOf(`CONCAT(${"'', ".repeat(99)}'x') = 'x'`)(event)).toBe(true)
    expect(createFilter({ filters: [nested(100) as never] })(event)).toBe(true)
  })
})
