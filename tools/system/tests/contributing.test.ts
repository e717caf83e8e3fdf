import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const recipes = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8')

describe('the recipes of CONTRIBUTING.md', () => {
  it('name files that are there', () => {
    const named = Array.from(recipes.matchAll(/`((?:apps|packages|tools)\/[\w./-]+)`/g), ([, path = '']) => path)
    const made = Array.from(recipes.matchAll(/^It writes `([\w/-]+)`/gm), ([, path]) => path)
    expect(made).toHaveLength(3)
    expect(named.filter((path) => !made.includes(path) && !existsSync(join(ROOT, path)))).toEqual([])
    expect(named.length).toBeGreaterThan(10)
  })
})
