import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from '@taproom/processes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { leftLines } from './left-lines.ts'

describe.each(['a folder in git', 'a folder that is not in git'])('leftLines in %s', (kind) => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'left-lines-'))
    if (kind === 'a folder in git') await run('git', ['init', '--quiet'], { cwd: root })
  })
  afterEach(() => rm(root, { recursive: true }))

  async function left(texts: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(texts)) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
    return await leftLines(root, 'wine-cellar')
  }

  it.each([
    'db/tables.sql',
    'scripts/load.js',
    'scripts/load.sh',
    'Dockerfile',
    '.github/workflows/ci.yaml',
    'package.json',
    'apps/x/src/main.ts',
  ])('names %s', async (path) => {
    expect(await left({ [path]: 'first\nwine-cellar\n\nwine-cellar\n' })).toEqual([`${path}: 2, 4`])
  })

  it.each([
    '/wine-cellar/1',
    'wine_cellar_out_total',
    'WINE_CELLAR_URL',
    'const wineCellar = 1',
    'wineCellarTotal()',
    'openWineCellarDatabase()',
    'class WineCellar {}',
  ])('finds %s', async (line) => {
    expect(await left({ 'a.txt': line })).toEqual(['a.txt: 1'])
  })

  it.each([
    'wine-cellars',
    'old_Swine-cellar',
    'wineCellars()',
    'openWineCellarsDatabase()',
    'WINE_CELLARS',
    'wine cellar',
  ])('does not find %s', async (line) => {
    expect(await left({ 'a.txt': line })).toEqual([])
  })

  it('passes over large and binary files, and what generate and programs write', async () => {
    const texts = {
      '.gitignore': 'node_modules/\ndist/\n',
      'large.txt': 'wine-cellar\n'.repeat(100_000),
      'image.png': 'wine-cellar\0',
      'node_modules/x/index.js': 'wine-cellar',
      'apps/x/dist/main.js': 'wine-cellar',
      'deploy/x.yaml': '# Written by `pnpm generate` from system.ts: change that, not this.\nwine-cellar\n',
    }
    expect(await left(texts)).toEqual([])
  })
})

it('leftLines passes over a file that git lists and that is gone', async () => {
  const root = await mkdtemp(join(tmpdir(), 'left-lines-'))
  await run('git', ['init', '--quiet'], { cwd: root })
  await writeFile(join(root, 'gone.ts'), 'orders')
  await run('git', ['add', '--all'], { cwd: root })
  await rm(join(root, 'gone.ts'))
  expect(await leftLines(root, 'orders')).toEqual([])
  await rm(root, { recursive: true })
})
