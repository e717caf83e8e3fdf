import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { run } from '@taproom/processes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { undeclaredFiles } from '../src/report/undeclared-files.ts'

const ROOT = join(import.meta.dirname, '../../..')
const RECORDER = join(ROOT, 'tools/testkit/scripts/record-loads.mjs')
const { devEngines } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))

let root: string

/** A repository whose suite runs `main.mjs` of an app, which imports `used.mjs` and has a bundle beside it. */
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'taproom-declared-')))
  const files: Readonly<Record<string, string>> = {
    'package.json': JSON.stringify({ name: 'declared', private: true, devEngines }),
    'pnpm-workspace.yaml': 'packages: [packages/*]\n',
    'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
    'packages/app/package.json': JSON.stringify({ name: 'app', scripts: {} }),
    'packages/app/main.mjs': "import './used.mjs'\n",
    'packages/app/used.mjs': '',
    'packages/suite/package.json': JSON.stringify({ name: 'suite', scripts: { 'test:system': 'true' } }),
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
  await run('git', ['init', '--quiet'], { cwd: root })
})

afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

async function undeclared(inputs: readonly string[]) {
  await writeFile(join(root, 'turbo.json'), JSON.stringify({ tasks: { 'test:system': { inputs } } }))
  const record = join(root, 'record')
  await run(process.execPath, [`--import=${pathToFileURL(RECORDER)}`, 'packages/app/main.mjs'], {
    cwd: root,
    env: { TAPROOM_LOADED_FILES: record },
  })
  return await undeclaredFiles({ root, workspace: join(root, 'packages/suite'), record })
}

describe('undeclaredFiles', () => {
  it('names what a process has loaded and the task does not depend on', async () => {
    expect(await undeclared(['$TURBO_DEFAULT$', '$TURBO_ROOT$/packages/app/main.mjs'])).toEqual([
      'packages/app/used.mjs is loaded by test:system, and not among its inputs in turbo.json',
    ])
  })

  it('finds nothing where all is declared', async () => {
    expect(await undeclared(['$TURBO_DEFAULT$', '$TURBO_ROOT$/packages/app/*.mjs'])).toEqual([])
  })

  it('counts the sources of a bundle as loaded', async () => {
    const bundle = join(root, 'node_modules/.cache/bundle')
    await mkdir(bundle, { recursive: true })
    await writeFile(join(bundle, 'main.cjs'), '')
    await writeFile(join(bundle, 'inputs.json'), JSON.stringify({ 'packages/app/bundled.ts': {} }))
    await writeFile(join(root, 'packages/app/main.mjs'), "import '../../node_modules/.cache/bundle/main.cjs'\n")
    expect(await undeclared(['$TURBO_DEFAULT$', '$TURBO_ROOT$/packages/app/main.mjs'])).toEqual([
      'packages/app/bundled.ts is loaded by test:system, and not among its inputs in turbo.json',
    ])
  })
})
