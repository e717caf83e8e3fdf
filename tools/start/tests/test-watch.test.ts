import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { endingWithParent, run, startNode } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const WORKSPACES = { limits: [], beer: ['limits'], time: [] } as const
type Name = keyof typeof WORKSPACES

/** A repository with this one's turbo.json, in which beer needs limits, and nobody needs time. Their tests count how often they are run. */
async function makeRepository() {
  const root = await mkdtemp(join(tmpdir(), 'taproom-watched-'))
  const { devEngines } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  await cp(join(ROOT, 'turbo.json'), join(root, 'turbo.json'))
  const files: Record<string, string> = {
    'package.json': JSON.stringify({ name: 'watched', private: true, devEngines }),
    'pnpm-workspace.yaml': 'packages: [packages/*]\nverifyDepsBeforeRun: false\n',
    'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
    '.gitignore': '*.runs\nchanged\n.turbo\n',
  }
  for (const [name, needs] of Object.entries(WORKSPACES)) {
    const dependencies = Object.fromEntries(needs.map((need) => [need, 'workspace:*']))
    const scripts = { test: `echo ran >> ../../${name}.runs` }
    await mkdir(join(root, `packages/${name}/src`), { recursive: true })
    files[`packages/${name}/package.json`] = JSON.stringify({ name, scripts, dependencies })
    files[`packages/${name}/src/index.ts`] = 'export {}\n'
  }
  for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text)
  await run('git', ['init', '--quiet'], { cwd: root })
  return {
    root,
    async change(name: Name) {
      const file = join(root, `packages/${name}/src/index.ts`)
      await writeFile(join(root, 'changed'), `${await readFile(file, 'utf8')}// changed\n`)
      await rename(join(root, 'changed'), file)
    },
    async runs(name: Name) {
      const text = await readFile(join(root, `${name}.runs`), 'utf8').catch(() => '')
      return text.split('\n').length - 1
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

describe('pnpm test --watch', () => {
  it('decisions 3.105: runs all tests, then those that a change touches, until it is ended', async () => {
    await using repository = await makeRepository()
    let output = ''
    await using watch = startNode({
      args: [...endingWithParent(join(ROOT, 'tools/testkit/scripts/test.ts')), '--watch'],
      cwd: repository.root,
      env: {
        PATH: [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
        HOME: process.env['HOME'],
        TURBO_TELEMETRY_DISABLED: '1',
      },
      onLine: (line) => (output += `${line}\n`),
    })
    const ran = (name: Name, times: number) =>
      waitFor(`run ${times} of ${name}`, async () => (await repository.runs(name)) >= times).catch((error: Error) => {
        throw new Error(`${error.message}: ${output}`)
      })
    for (const name of ['limits', 'beer', 'time'] as const) await ran(name, 1)
    await repository.change('limits')
    await ran('limits', 2)
    await ran('beer', 2)
    const before = { limits: await repository.runs('limits'), beer: await repository.runs('beer') }
    expect(await repository.runs('time')).toBe(1)
    await repository.change('time')
    await ran('time', 2)
    expect({ limits: await repository.runs('limits'), beer: await repository.runs('beer') }).toEqual(before)
    watch.signal('SIGTERM')
    await watch.ended
  })
})
