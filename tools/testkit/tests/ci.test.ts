import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FailedTest, TestReport } from '../src/report/test-report.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PASSED: TestReport = { passed: 2, failed: [], skipped: {}, seconds: 1 }
const failure = (file: string): FailedTest => ({ file, test: 'it holds', reason: 'expected 1 to be 2' })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproom-ci-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Runs a program of `.ci`. */
function run(program: string, args: readonly string[], { cwd = folder, input = '' } = {}) {
  const file = join(ROOT, '.ci', program)
  const env = { PATH: process.env['PATH'], HOME: folder, USERPROFILE: folder }
  const { status, stdout } = spawnSync(process.execPath, ['--conditions=development', file, ...args], {
    ...{ cwd, input, env },
    encoding: 'utf8',
  })
  return { status, lines: stdout.trimEnd().split('\n') }
}

describe('decisions 3.136: the last lines of .ci/run', () => {
  const end = async (report: TestReport, others: Readonly<Record<string, string>> = {}) => {
    await writeFile(join(folder, 'a-report.json'), JSON.stringify(report))
    for (const [name, text] of Object.entries(others)) await writeFile(join(folder, name), text)
    expect(run('tally.ts', ['add', folder, '*-report.json'])).toMatchObject({ status: 0 })
    expect(existsSync(join(folder, 'a-report.json'))).toBe(false)
    return run('tally.ts', ['end', folder])
  }

  it('count, and name flaky tests, results, skips and what was left out', async () => {
    const others = {
      flaky: 'flaky: a.test.ts > it holds\n',
      results: 'result: bench films: holds\n',
      'left-out': 'audit: no\n',
    }
    expect(await end({ ...PASSED, skipped: { Linux: 1 } }, others)).toEqual({
      status: 0,
      lines: [
        'flaky: a.test.ts > it holds',
        'result: bench films: holds',
        'skipped: 1 needs Linux',
        'left out: audit: no',
        '2 passed, 0 failed',
      ],
    })
  })

  it('fail with a test', async () => {
    const { status, lines } = await end({ ...PASSED, failed: [failure('a.test.ts')] })
    expect({ status, lines }).toEqual({
      status: 1,
      lines: ['FAILED: a.test.ts > it holds: expected 1 to be 2', '2 passed, 1 failed'],
    })
  })

  it('fail with a part', async () => {
    expect(await end(PASSED, { 'failed-parts': 'types\n' })).toEqual({
      status: 1,
      lines: ['FAILED: types', '2 passed, 0 failed'],
    })
  })

  it.each([
    ['a part', PASSED, { 'left-out': 'docker: there is no Docker engine\n' }, 'docker'],
    ['tests of a program', { ...PASSED, skipped: { 'kcat (on PATH, or KCAT)': 3 } }, {}, 'kcat'],
  ])('fail where %s was left out that must run where changes land', async (_case, report, others, name) => {
    const { status, lines } = await end(report, others)
    expect(status).toBe(1)
    expect(lines).toContain(`FAILED: ${name} was left out, and .ci/required-parts names it`)
  })
})

describe('decisions 3.136: parts that take turns', () => {
  const next = (seconds: number, names: readonly string[]) =>
    run('rotation.ts', ['next', String(seconds)], { cwd: ROOT, input: `${names.join('\n')}\n` }).lines
  const green = (name: string, seconds: number) => run('rotation.ts', ['green', name, String(seconds)])

  it('run those first that never were green, then those whose last green run is oldest', () => {
    green('a', 1)
    green('b', 1)
    expect(next(1000, ['b', 'a', 'new'])).toEqual(['new', 'a', 'b'])
  })

  it('run as many as fit into the time, by what they took, and at least one', () => {
    for (const name of ['long', 'short', 'longer']) green(name, { long: 100, short: 10, longer: 300 }[name] ?? 0)
    expect(next(120, ['long', 'short', 'longer'])).toEqual(['long', 'short'])
    expect(next(1, ['longer'])).toEqual(['longer'])
  })
})

describe('decisions 3.136: test files that failed', () => {
  /** A repository with a workspace whose tests write the report `second`, after a run that wrote `first`. */
  async function again(first: TestReport, second: TestReport) {
    const workspace = join(folder, 'packages/a')
    await mkdir(workspace, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{ "name": "again", "private": true }')
    await writeFile(join(folder, 'pnpm-workspace.yaml'), 'packages: [packages/*]\nverifyDepsBeforeRun: false\n')
    const script = "node -e \"require('node:fs').copyFileSync('second.json', 'test-report.json')\""
    await writeFile(join(workspace, 'package.json'), JSON.stringify({ name: 'a', scripts: { test: script } }))
    await writeFile(join(workspace, 'second.json'), JSON.stringify(second))
    await writeFile(join(workspace, 'test-report.json'), JSON.stringify(first))
    const { status } = run('again.ts', [join(folder, 'flaky'), 'test'])
    const report: TestReport = JSON.parse(await readFile(join(workspace, 'test-report.json'), 'utf8'))
    return { status, report, flaky: await readFile(join(folder, 'flaky'), 'utf8').catch(() => '') }
  }
  const FILE = 'packages/a/tests/a.test.ts'

  it('run once more, alone, and are flaky when they pass', async () => {
    const { status, report, flaky } = await again({ ...PASSED, failed: [failure(FILE)] }, PASSED)
    expect({ status, flaky }).toEqual({ status: 0, flaky: `flaky: ${FILE} > it holds\n` })
    expect(report).toMatchObject({ passed: 3, failed: [] })
  })

  it('stay failed when they fail again', async () => {
    const { status, report, flaky } = await again(
      { ...PASSED, failed: [failure(FILE)] },
      { ...PASSED, failed: [failure(FILE)] },
    )
    expect({ status, flaky }).toEqual({ status: 1, flaky: '' })
    expect(report.failed).toHaveLength(1)
  })

  it('are not run again when they are more than two', async () => {
    const failed = ['a', 'b', 'c'].map((name) => failure(`packages/a/tests/${name}.test.ts`))
    const { status, report } = await again({ ...PASSED, failed }, PASSED)
    expect(status).toBe(1)
    expect(report.failed).toHaveLength(3)
  })
})
