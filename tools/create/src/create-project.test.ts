import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProject } from './create-project.ts'

let above: string
beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'taproom-create-'))
})
afterEach(() => rm(above, { recursive: true }))

describe('a repository that cannot be made', () => {
  // It needs what only the published package knows.
  const create = () => createProject({ folder: join(above, 'wine-shop'), name: 'wine-shop', tell: () => {} })

  it('leaves nothing', async () => {
    await expect(create()).rejects.toThrow('known only to the published package')
    expect(await readdir(above)).toEqual([])
  })

  it('leaves the empty folder that was there before', async () => {
    await mkdir(join(above, 'wine-shop'))
    await expect(create()).rejects.toThrow('known only to the published package')
    expect(await readdir(above, { recursive: true })).toEqual(['wine-shop'])
  })
})
