import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const src = fileURLToPath(new URL('.', import.meta.url))
const codesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, code]) => code)

describe('README', () => {
  it('lists every error code, and no other', () => {
    const files = globSync('**/*.ts', { cwd: src }).map((path) => readFileSync(`${src}${path}`, 'utf8'))
    const declared = files.flatMap((text) => codesIn(text, /^ {2}(?:readonly code = '|(?=[A-Z_]+: \d{3},))(\w+)/gm))
    const listed = codesIn(readFileSync(`${src}../README.md`, 'utf8'), /^\| `([A-Z]+(?:_[A-Z]+)+)` +\| (?!.*\|.*\|)/gm)
    expect(listed.toSorted()).toEqual(declared.toSorted())
  })
})
