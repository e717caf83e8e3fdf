import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { run } from '@taproom/processes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestReport } from '../src/report/test-report.ts'

const ROOT = join(import.meta.dirname, '../../..')
const { devEngines } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
const PASSED: TestReport = { passed: 2, failed: [], skipped: { kcat: 3 }, seconds: 1, cpuSeconds: 2 }

/** Writes the report that stands beside it, and the environment that turbo leaves. */
const TESTS = `
const { copyFileSync, existsSync, writeFileSync } = require('node:fs')
writeFileSync('env.json', JSON.stringify(process.env))
if (!existsSync('given.json')) process.exit(1)
copyFileSync('given.json', 'test-report.json')
process.exit(require('./given.json').failed.length)
`

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'taproom-tested-'))
  await cp(join(ROOT, 'turbo.json'), join(root, 'turbo.json'))
  const files: Record<string, string> = {
    'package.json': JSON.stringify({ name: 'tested', private: true, devEngines }),
    'pnpm-workspace.yaml': 'packages: [packages/*]\nverifyDepsBeforeRun: false\n',
    'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
    '.gitignore': '*-report.json\nenv.json\n.turbo\n',
  }
  for (const name of ['a', 'b']) {
    files[`packages/${name}/package.json`] = JSON.stringify({ name, scripts: { test: 'node tests.cjs' } })
    files[`packages/${name}/tests.cjs`] = TESTS
    files[`packages/${name}/given.json`] = JSON.stringify(PASSED)
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  // Turbo asks git what is ignored, once there is a commit.
  const me = ['-c', 'user.name=test', '-c', 'user.email=test@example.com']
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    [...me, 'commit', '--quiet', '--message', 'all'],
  ]) {
    await run('git', args, { cwd: root })
  }
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function test(env: Readonly<Record<string, string>> = {}, ...args: readonly string[]) {
  const child = spawn(process.execPath, [join(ROOT, 'tools/testkit/scripts/test.ts'), ...args], {
    cwd: root,
    env: {
      PATH: [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      HOME: process.env['HOME'],
      TURBO_TELEMETRY_DISABLED: '1',
      ...env,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, lines: output.trimEnd().split('\n') }
}

const give = (name: string, report: TestReport) =>
  writeFile(join(root, `packages/${name}/given.json`), JSON.stringify(report))

describe('pnpm test', () => {
  it('ends with what was skipped and left out, above the counts, cached results among them', async () => {
    const end = [
      'skipped: 6 need kcat',
      'left out: the long tests: pnpm test:long runs them',
      '4 passed, 0 failed, 6 skipped',
    ]
    const first = await test()
    expect({ code: first.code, end: first.lines.slice(-3) }).toEqual({ code: 0, end })
    const second = await test()
    expect({ code: second.code, end: second.lines.slice(-3) }).toEqual({ code: 0, end })
    expect(second.lines.join('\n')).toContain('2 cached, 2 total')
  })

  it('names the tests that failed, and ends with 1', async () => {
    const failed = [{ file: 'packages/a/tests/a.test.ts', test: 'a > holds', reason: 'expected 1 to be 2' }]
    await give('a', { ...PASSED, failed })
    const { code, lines } = await test()
    expect(code).toBe(1)
    expect(lines).toContain('FAILED: packages/a/tests/a.test.ts > a > holds: expected 1 to be 2')
    expect(lines.at(-1)).toBe('4 passed, 1 failed, 6 skipped')
  })

  it('ends with 2 when a workspace ended without a report, so that nothing is taken for a flaky test', async () => {
    await rm(join(root, 'packages/b/given.json'))
    const { code, lines } = await test()
    expect(code).toBe(2)
    expect(lines).toContain('FAILED: packages/b: test ended without a report: see above')
  })

  it('passes on where packages and the browser come from', async () => {
    const places = {
      XDG_CACHE_HOME: '/places/cache',
      XDG_DATA_HOME: '/places/data',
      npm_config_registry: 'http://localhost:4873/',
      pnpm_config_store_dir: '/places/store',
      HTTPS_PROXY: 'http://localhost:3128',
      no_proxy: 'localhost',
      CHROMIUM_PATH: '/places/chromium',
    }
    await test(places)
    expect(JSON.parse(await readFile(join(root, 'packages/a/env.json'), 'utf8'))).toMatchObject(places)
  })

  it('says what it leaves out while it watches', async () => {
    const { lines } = await test({}, '--watch', '--help')
    expect(lines[0]).toBe(
      'Left out while watching: the tests that run the whole system (test:system) and the long ones (test:long).',
    )
  })
})
