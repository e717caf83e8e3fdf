import { cp, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { endingWithParent, startNode } from '@taproom/processes'
import { machineVariables, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'

const VITEST = join(import.meta.dirname, '../node_modules/vitest')
const APPS = ['ale', 'stout'] as const

/** The test starts a program, which counts how often it runs. */
const TEST = `import { execFileSync } from 'node:child_process'
import { it } from 'vitest'
it('runs', () => void execFileSync(process.execPath, [new URL('../src/main.ts', import.meta.url).pathname]))
`
const main = (app: string) => `import { appendFileSync } from 'node:fs'
appendFileSync(new URL('../../../${app}.runs', import.meta.url), 'ran\\n')
`

/** A repository as create-taproom makes it, with two apps whose tests start a process each. */
async function makeProject() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'create-watched-')))
  const files: Record<string, string> = {
    'package.json': '{ "type": "module" }',
    'system.ts': 'export {}\n',
    'packages/money/src/money.ts': 'export {}\n',
  }
  for (const app of APPS) {
    files[`apps/${app}/src/main.ts`] = main(app)
    files[`apps/${app}/tests/${app}.test.ts`] = TEST
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  await cp(join(import.meta.dirname, '../templates/vitest.config.ts'), join(root, 'vitest.config.ts'))
  await mkdir(join(root, 'node_modules'))
  await symlink(await realpath(VITEST), join(root, 'node_modules/vitest'))
  return {
    root,
    async change(path: string) {
      await writeFile(join(root, 'node_modules/changed'), `${await readFile(join(root, path), 'utf8')}// changed\n`)
      await rename(join(root, 'node_modules/changed'), join(root, path))
    },
    /** How often the program of each app has run. */
    async runs() {
      const texts = APPS.map((app) => readFile(join(root, `${app}.runs`), 'utf8').catch(() => ''))
      return (await Promise.all(texts)).map((text) => text.split('\n').length - 1)
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

describe('test --watch of a created project', () => {
  it('decisions 3.105: runs the tests of what they start as a process, when its sources change', async () => {
    await using project = await makeProject()
    const output: string[] = []
    await using watch = startNode({
      args: [...endingWithParent(join(VITEST, 'vitest.mjs')), 'run', '--watch'],
      cwd: project.root,
      env: machineVariables(),
      onLine: (line) => output.push(line),
    })
    /** The runs of each app once vitest has waited for changes so many times. */
    const runsAfter = async (times: number) => {
      const isWaiting = () => output.filter((line) => line.includes('for file changes')).length >= times
      await waitFor(`run ${times}`, isWaiting).catch((error: Error) => {
        throw new Error(`${error.message}: ${output.join('\n')}`)
      })
      return await project.runs()
    }
    expect(await runsAfter(1)).toEqual([1, 1])
    await project.change('apps/ale/src/main.ts')
    expect(await runsAfter(2)).toEqual([2, 1])
    await project.change('apps/stout/tests/stout.test.ts')
    expect(await runsAfter(3)).toEqual([2, 2])
    await project.change('packages/money/src/money.ts')
    expect(await runsAfter(4)).toEqual([3, 3])
    await project.change('system.ts')
    expect(await runsAfter(5)).toEqual([4, 4])
    watch.signal('SIGTERM')
    await watch.ended
  })
})
