import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NewUsageError } from '../new/errors.ts'
import { movedFiles } from './moved-files.ts'

describe('movedFiles', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'moved-files-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function write(...paths: readonly string[]) {
    for (const path of paths) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), "import { startOrders } from './orders.ts'\n")
    }
  }

  it('has each file with its new path, and its new text where that differs', async () => {
    await write('src/orders.ts', 'src/config.ts', 'README.md', 'node_modules/x/src/orders.ts')
    const files = await movedFiles(folder, { kind: 'service', from: 'orders', to: 'buys' })
    const after = "import { startBuys } from './buys.ts'\n"
    expect(files.map(({ before: _before, ...file }) => file).toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'README.md', target: 'README.md', after: undefined },
      { path: 'src/config.ts', target: 'src/config.ts', after },
      { path: 'src/orders.ts', target: 'src/buys.ts', after },
    ])
  })

  it.each([
    ['bottle', 'src/orders.ts', 'src/bottle.ts'],
    ['main', 'src/orders.ts', 'src/main.ts'],
    ['app', 'src/orders.ts', 'src/app.ts'],
    ['config', 'src/orders.ts', 'src/config.ts'],
    ['config', 'tests/orders.test.ts', 'tests/config.test.ts'],
    ['database', 'src/orders.ts', 'src/database.ts'],
    ['orders-routes', 'src/orders.ts', 'src/orders-routes.ts'],
  ])('refuses the name %s when %s would overwrite %s', async (to, path, other) => {
    await write(path, other)
    const moved = movedFiles(folder, { kind: 'service', from: 'orders', to })
    await expect(moved).rejects.toThrow(NewUsageError)
    await expect(moved).rejects.toThrow(`the app has a file ${other} already`)
  })
})
