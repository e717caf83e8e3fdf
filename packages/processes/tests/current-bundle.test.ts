import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { currentBundle } from '../src/index.ts'

describe('currentBundle', () => {
  let folder: string
  const source = () => join(folder, 'src/main.ts')
  const record = () => join(folder, 'bundle/inputs.json')
  const found = () => currentBundle(join(folder, 'bundle'), folder)
  const bundle = () => join(folder, 'bundle/main.cjs')

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'app-'))
    mkdirSync(join(folder, 'src'))
    mkdirSync(join(folder, 'bundle'), { recursive: true })
    writeFileSync(source(), 'one()')
    writeFileSync(bundle(), '')
    const { mtimeMs, size } = statSync(source())
    writeFileSync(record(), JSON.stringify({ 'src/main.ts': { mtimeMs, size } }))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('finds a bundle that was made from the sources that are there', () => {
    expect(found()).toBe(bundle())
  })

  it.each([
    ['was written again later', () => utimesSync(source(), new Date(), new Date(Date.now() + 5000))],
    [
      'has another size, but the same time',
      () => {
        const { atime, mtime } = statSync(source())
        writeFileSync(source(), 'one(2)')
        utimesSync(source(), atime, mtime)
      },
    ],
    ['is gone', () => rmSync(source())],
  ])('finds none when a source %s', (_case, change) => {
    change()
    expect(found()).toBeUndefined()
  })

  it.each([
    ['is missing', () => rmSync(record())],
    ['is no JSON', () => writeFileSync(record(), '{')],
    ['names no sources', () => writeFileSync(record(), '{}')],
    ['names a source without its time', () => writeFileSync(record(), '{"src/main.ts":null}')],
  ])('finds none when the record %s', (_case, change) => {
    change()
    expect(found()).toBeUndefined()
  })

  it('finds none where none was made', () => {
    rmSync(bundle())
    expect(found()).toBeUndefined()
  })
})
