import { watch } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pack } from './pack.ts'
import { REPOSITORY, readWorkspace } from './published-packages.ts'
import { readTarball } from './tarball.ts'

describe('pack', () => {
  const folder = join(REPOSITORY, 'packages/http')
  let to: string
  beforeEach(async () => {
    to = await mkdtemp(join(tmpdir(), 'pack-'))
  })
  afterEach(() => rm(to, { recursive: true }))

  it('gives the package a change log and a licence, and resolves its dependencies', async () => {
    const { files } = await readTarball(await pack(await readWorkspace(folder), to))
    expect([...files.keys()]).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md']))
    const manifest = files.get('package.json')?.toString()
    expect(manifest).toContain('"@taproom/core": "')
    expect(manifest).not.toMatch(/"(?:workspace|catalog):/)
  })

  it('writes nothing into the workspace, which a killed process would leave there', async () => {
    const changed: (string | null)[] = []
    const watcher = watch(folder, (_event, name) => changed.push(name))
    await pack(await readWorkspace(folder), to)
    watcher.close()
    expect(changed).not.toContain('CHANGELOG.md')
  })

  it('packs one workspace twice at once', async () => {
    const workspace = await readWorkspace(folder)
    const folders = [join(to, 'a'), join(to, 'b')]
    const packed = folders.map(async (each) => {
      await mkdir(each)
      return await readTarball(await pack(workspace, each))
    })
    for (const { files } of await Promise.all(packed)) expect([...files.keys()]).toContain('CHANGELOG.md')
  })
})
