import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

describe('README', () => {
  it('lists every error code, and no other', () => {
    const listed = [...read('../README.md').matchAll(/^\| `([A-Z_]+)`\s+\| `\w+Error`/gm)].map((match) => match[1])
    const declared = [...read('./errors.ts').matchAll(/readonly code = '([A-Z_]+)'/g)].map((match) => match[1])
    expect(listed.toSorted()).toEqual(declared.toSorted())
    expect(listed).toHaveLength(2)
  })
})
