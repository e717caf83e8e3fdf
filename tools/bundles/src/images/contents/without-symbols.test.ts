import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '@taproom/processes'
import { describe, expect, it } from 'vitest'
import { withoutSymbols } from './without-symbols.ts'

describe('withoutSymbols', () => {
  it('leaves a Node that runs, with stacks and fetch, and is smaller', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'node-'))
    const node = await readFile(process.execPath)
    const less = withoutSymbols(node)
    expect(less.length).toBeLessThan(node.length)
    const file = join(folder.path, 'node')
    await writeFile(file, less, { mode: 0o755 })
    const program = `function fail() { throw new Error(typeof fetch) }; try { fail() } catch ({ stack }) { console.log(stack) }`
    const { stdout } = await run(file, ['-e', program])
    expect(stdout).toMatch(/^Error: function\n {4}at fail \(/)
  })

  it('leaves a file as it is that has nothing to take away but its sections', async () => {
    const once = withoutSymbols(await readFile(process.execPath))
    expect(withoutSymbols(once).equals(once)).toBe(true)
  })

  it('refuses what is no executable for Linux', () => {
    expect(() => withoutSymbols(Buffer.from('#!/bin/sh\n'.padEnd(100)))).toThrow(RangeError)
  })
})
