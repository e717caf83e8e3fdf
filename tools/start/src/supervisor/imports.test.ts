import { describe, expect, it } from 'vitest'
import { importsOf, packagesOf } from './imports.ts'

describe('importsOf', () => {
  it.each([
    ["import a from './a.ts'", ['./a.ts']],
    ["import {\n  a,\n  type B, // b's\n} from '@taproom/http'", ['@taproom/http']],
    ["import './a.ts'", ['./a.ts']],
    ['export { a } from "./a.ts"', ['./a.ts']],
    ["export * from './a.ts'", ['./a.ts']],
    ["const { a } = await import('./a.ts')", ['./a.ts']],
    ["new URL('./page.html', import.meta.url)", ['./page.html']],
    ["import { type A } from './a.ts'", ['./a.ts']], // Stays as an import of nothing.
    ["import a from './a.ts'\nimport b from './a.ts'", ['./a.ts']],
  ])('%s', (source, expected) => {
    expect(importsOf(source)).toEqual(expected)
  })

  it.each([
    "import type { A } from './a.ts'",
    "import type {\n  A,\n  B,\n} from './a.ts'",
    "export type { A } from './a.ts'",
    "import type A from './a.ts'",
    "import type * as a from './a.ts'",
    "new URL('https://example.com', import.meta.url)",
    'const from = 1',
  ])('nothing at run time: %s', (source) => {
    expect(importsOf(source)).toEqual([])
  })
})

describe('packagesOf', () => {
  it.each<[string[], string[]]>([
    [
      ["import a from './a.ts'\nimport b, {\n  c,\n} from 'express'\nexport * from '@taproom/http/client'"],
      ['express', '@taproom/http/client'],
    ],
    [["import 'dotenv/config'", "import 'dotenv/config'"], ['dotenv/config']],
    [["import type { A } from 'a'\n// import b from 'b'\nawait import('c')\nimport '#own'\nconst from = 'd'"], []],
    [["import express from 'express'", "import './instrument.ts'"], []],
  ])('%j', (sources, expected) => {
    expect(packagesOf(sources)).toEqual(expected)
  })
})
