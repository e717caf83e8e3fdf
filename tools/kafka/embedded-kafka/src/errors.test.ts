import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

function codesIn(file: string): readonly string[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  return [...new Set(text.match(/EMBEDDED_KAFKA_[A-Z_]+/g))].sort()
}

describe('error codes', () => {
  it('are all listed in the README, and no others', () => {
    expect(codesIn('../README.md')).toEqual(codesIn('./errors.ts'))
  })
})
