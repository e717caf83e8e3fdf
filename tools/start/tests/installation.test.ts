import { mkdir, mkdtemp, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMPILED_CODE } from '@taproom/bundles/compiled-code'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missingInstallation } from '../scripts/installation.mjs'

const STATE = 'node_modules/.pnpm-workspace-state-v1.json'
const START = expect.arrayContaining(['install', '--prod', '@taproom/start...'])

describe('decisions 3.126: what has to be installed', () => {
  let root: string
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'taproom-installed-')))
    for (const folder of ['patches', 'node_modules', 'apps/wine']) await mkdir(join(root, folder), { recursive: true })
  })
  afterAll(() => rm(root, { recursive: true }))

  /** As pnpm leaves it; `changed` is written after that. */
  async function installed(state: object | undefined, changed?: string) {
    await rm(join(root, STATE), { force: true })
    const files = ['package.json', 'apps/wine/package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.mjs']
    for (const file of [...files, 'patches/a.patch']) {
      await writeFile(join(root, file), '')
      const at = file === changed ? 2000 : 1000
      await utimes(join(root, file), at, at)
    }
    const projects = { [root]: {}, [join(root, 'apps/wine')]: {} }
    if (state)
      await writeFile(join(root, STATE), JSON.stringify({ projects, lastValidatedTimestamp: 1_500_000, ...state }))
  }
  const all = { filteredInstall: false, settings: { dev: true } }
  const ofStart = { filteredInstall: true, settings: { dev: false } }
  const forStart = () => missingInstallation(root, { forStart: true })?.args
  const forAll = () => missingInstallation(root, { forStart: false })?.args

  it.each([
    ['nothing', undefined, START, ['install']],
    ['what start needs', ofStart, undefined, ['install']],
    ['all', all, undefined, undefined],
    ['what somebody chose', { ...all, filteredInstall: true }, ['install'], ['install']],
    ['all, in a folder elsewhere', { ...all, projects: { '/elsewhere': {} } }, START, ['install']],
  ])('when %s is installed', async (_, state, start, everything) => {
    await installed(state)
    expect(forStart()).toEqual(start)
    expect(forAll()).toEqual(everything)
  })

  it.each(['apps/wine/package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.mjs', 'patches/a.patch'])(
    'is no more and no less than before when %s has changed',
    async (file) => {
      await installed(ofStart, file)
      expect(forStart()).toEqual(START)
      await installed(all, file)
      expect(forStart()).toEqual(['install'])
      expect(forAll()).toEqual(['install'])
    },
  )

  it('is nothing more when the lockfile was written in the millisecond in which pnpm was done', async () => {
    await installed(all)
    await utimes(join(root, 'pnpm-lock.yaml'), 1500, 1500.0005)
    expect(forAll()).toBeUndefined()
  })

  it('is everything when all but what pnpm wrote about it is there', async () => {
    await installed(undefined)
    await writeFile(join(root, 'node_modules/.modules.yaml'), '')
    expect(forStart()).toEqual(['install'])
  })
})

describe('what Node compiles', () => {
  it('is kept by the scripts of the repository where the command keeps it', async () => {
    expect(await readFile(new URL('../scripts/run.mjs', import.meta.url), 'utf8')).toContain(`'${COMPILED_CODE}'`)
  })
})
