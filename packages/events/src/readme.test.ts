import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

describe('README', () => {
  it('lists every error code, and no other', () => {
    const listed = [...read('../README.md').matchAll(/^\| `([A-Z_]+)`\s+\| `\w+Error`/gm)].map((match) => match[1])
    const source = read('./errors.ts')
    const declared = [...source.matchAll(/^ {2}(?:\| |readonly code = )'([A-Z_]+)'/gm)].map((match) => match[1])
    expect(listed.toSorted()).toEqual(declared.toSorted())
    expect(new Set(listed).size).toBe(14)
  })

  it('lists every filter dialect, and no other', () => {
    const [, listed = ''] = /a predicate; all dialects: (.+?) +\|$/m.exec(read('../README.md')) ?? []
    const declared = [...read('./filter-spec.ts').matchAll(/^ {2}\| \{ readonly (\w+):/gm)].map((match) => match[1])
    expect(declared).toContain('cesql')
    expect(listed.split(', ')).toEqual(declared.map((dialect) => `\`${dialect}\``))
  })

  it('names only what is exported', async () => {
    const exported = Object.keys(await import('./index.ts'))
    const table = read('../README.md').split('| Export ')[1]?.split('\n\n')[0] ?? ''
    const named = [...table.matchAll(/^\| .*/gm)].flatMap(([row]) => {
      const cell = row.split(/(?<=\S)\s+\| /)[0] ?? ''
      return [...cell.matchAll(/`([a-z]\w+)(?:\(|`)/g)].map((match) => match[1])
    })
    expect(named.length).toBeGreaterThan(10)
    expect(exported).toEqual(expect.arrayContaining(named))
  })
})
