import { globSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from '@taproom/processes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishedPackages, REPOSITORY, readWorkspace } from '../../src/publish/published-packages.ts'

const WORKSPACES = globSync('{apps,packages,tools,tools/kafka}/*/package.json', {
  cwd: REPOSITORY,
})

describe('decisions 3.72: versions', () => {
  let copy: string

  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'versions-'))
    for (const path of [...WORKSPACES, 'package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml', '.changeset']) {
      await cp(join(REPOSITORY, path), join(copy, path), { recursive: true })
    }
    await symlink(join(REPOSITORY, 'node_modules'), join(copy, 'node_modules'))
    await writeFile(join(copy, '.gitignore'), 'node_modules\n')
    await writeFile(join(copy, '.changeset/one.md'), '---\n"@taproom/core": minor\n---\n\nTime goes on.\n')
    const git = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'init.defaultBranch=main']
    await run('git', [...git, 'init', '--quiet'], { cwd: copy })
    await run('git', [...git, 'add', '--all'], { cwd: copy })
    await run('git', [...git, 'commit', '--quiet', '--message', 'a copy'], { cwd: copy })
    await run(join(REPOSITORY, 'node_modules/.bin/changeset'), ['version'], { cwd: copy })
  })

  afterAll(() => rm(copy, { recursive: true, force: true }))

  it('are decided for every package and tool: published, and then all of one version, or left alone', async () => {
    const config = JSON.parse(await readFile(join(REPOSITORY, '.changeset/config.json'), 'utf8'))
    const published = (await publishedPackages()).map(({ manifest }) => manifest.name)
    const namesOf = async (paths: readonly string[]) =>
      await Promise.all(paths.map(async (path) => (await readWorkspace(join(REPOSITORY, dirname(path)))).manifest.name))
    expect(config.fixed).toEqual([published.toSorted()])
    const decided = [...published, ...config.ignore]
    const undecided = (await namesOf(WORKSPACES.filter((path) => !path.startsWith('apps/')))).filter(
      (name) => !decided.includes(name),
    )
    expect(undecided, 'Add these to "ignore" of .changeset/config.json, or publish them').toEqual([])
    const all = await namesOf(WORKSPACES)
    expect(decided.filter((name) => !all.includes(name))).toEqual([])
  })

  it('go up together when one package has a note', async () => {
    const before = await publishedPackages()
    const after = before.map(({ folder }) => readWorkspace(folder.replace(REPOSITORY, `${copy}/`)))
    const versions = new Set((await Promise.all(after)).map(({ manifest }) => manifest.version))
    expect(versions.size).toBe(1)
    expect([...versions]).not.toContain(before[0]?.manifest.version)
    expect(await readFile(join(copy, 'packages/core/CHANGELOG.md'), 'utf8')).toContain('Time goes on.')
  })
})
