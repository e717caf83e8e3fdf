import { mkdir, mkdtempDisposable, readdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from '@taproom/processes'
import { runScript } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { commitOf, LacksError, measureVersion, openVersion, RunError } from '../../src/bench/versions/version.ts'

const BENCH = new URL('../../scripts/bench.ts', import.meta.url)
const ROW = { area: 'claim', row: 'known', name: 'ours', unit: 'per second', samples: [10] }
const LOCKFILE = "lockfileVersion: '9.0'\n\nimporters:\n\n  .: {}\n"

const options = (signal = new AbortController().signal) => ({ env: process.env, signal })
const temporary = () => mkdtempDisposable(join(tmpdir(), 'bench-test-'))

/** A version whose bench is the given program. */
async function writeVersion(folder: string, program: string) {
  const files = {
    bench: join(folder, 'tools/lab/scripts/bench.ts'),
    node: join(folder, 'node_modules/node/bin/node'),
  }
  for (const file of Object.values(files)) await mkdir(dirname(file), { recursive: true })
  await writeFile(files.bench, program)
  await symlink(process.execPath, files.node)
  return { name: 'v1', folder, isRef: true }
}

/** A repository with one commit, which is to be installed. */
async function writeRepository(folder: string): Promise<string> {
  const git = async (...args: string[]) => (await run('git', ['-C', folder, ...args])).stdout.trim()
  await writeFile(join(folder, 'package.json'), '{ "name": "tiny", "private": true }')
  await writeFile(join(folder, 'pnpm-lock.yaml'), LOCKFILE)
  await git('init', '--quiet')
  await git('add', '.')
  await git('-c', 'user.name=bench', '-c', 'user.email=bench@example.org', 'commit', '--quiet', '-m', 'first')
  return await git('rev-parse', 'HEAD')
}

describe('pnpm bench --compare', () => {
  it('exits with 2 for what is no commit', async () => {
    const { code, stdout, stderr } = await runScript(BENCH, ['--compare', 'no-such-ref', 'policies'])
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 2, stdout: '', stderr: '--compare=no-such-ref: no commit of this repository\n' },
    })
  })

  it('exits with 2 for an area that is not there', async () => {
    expect(await runScript(BENCH, ['--json', 'wine'])).toMatchObject({
      code: 2,
      stderr: /^no area wine: there are beers, /,
    })
  })
})

describe('measureVersion', () => {
  it('runs one round of the area as JSON', async () => {
    await using folder = await temporary()
    const program = `
      console.log('bundled')
      console.log(JSON.stringify({ ...${JSON.stringify(ROW)}, row: process.argv.slice(2).join(' ') }))`
    const version = await writeVersion(folder.path, program)
    expect(await measureVersion(version, 'claim', options())).toEqual([{ ...ROW, row: '--json --rounds 1 claim' }])
  })

  it.each([
    ['without --json', `throw new Error("Unknown option '--json'")`, 'v1 has no pnpm bench --json'],
    ['without the area', `console.error('no area claim: there are films'); process.exit(2)`, 'v1 has no area claim'],
  ])('recognizes a version %s', async (_, program, message) => {
    await using folder = await temporary()
    const version = await writeVersion(folder.path, program)
    await expect(measureVersion(version, 'claim', options())).rejects.toThrow(new LacksError(message))
  })

  it('recognizes a version without a bench', async () => {
    await using folder = await temporary()
    const version = { name: 'v1', folder: folder.path, isRef: true }
    const lacks = /^v1 has no tools\/lab\/scripts\/bench/
    await expect(measureVersion(version, 'claim', options())).rejects.toThrow(lacks)
  })

  it('says how a bench failed, and of which version', async () => {
    await using folder = await temporary()
    const version = await writeVersion(folder.path, `console.error('3 of 5 requests failed'); process.exit(1)`)
    const failure = await measureVersion(version, 'claim', options()).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(RunError)
    expect(failure).toMatchObject({ isRef: true, message: /^v1: .*1.*\n3 of 5 requests failed$/ })
  })

  it('kills a bench that is interrupted', async () => {
    await using folder = await temporary()
    const version = await writeVersion(folder.path, 'setInterval(() => {}, 1000)')
    const interrupt = new AbortController()
    const measured = measureVersion(version, 'claim', options(interrupt.signal))
    interrupt.abort(new Error('interrupted'))
    await expect(measured).rejects.toThrow('interrupted')
  })
})

describe('openVersion', () => {
  it('checks a commit out, installs it, and leaves nothing behind', async () => {
    await using folder = await temporary()
    const repository = folder.path
    const commit = await writeRepository(repository)
    expect(await commitOf(repository, 'HEAD')).toBe(commit)
    let tree = ''
    {
      await using opened = new AsyncDisposableStack()
      tree = (await openVersion({ repository, ref: 'HEAD', commit }, opened, options())).folder
      expect(await readdir(tree)).toContain('node_modules')
    }
    await expect(readdir(dirname(tree))).rejects.toMatchObject({ code: 'ENOENT' })
    const { stdout } = await run('git', ['-C', repository, 'worktree', 'list'])
    expect(stdout.trim().split('\n')).toHaveLength(1)
  })

  it('leaves nothing behind when it is interrupted', async () => {
    await using folder = await temporary()
    const repository = folder.path
    const commit = await writeRepository(repository)
    await using opened = new AsyncDisposableStack()
    const aborted = AbortSignal.abort(new Error('interrupted'))
    await expect(openVersion({ repository, ref: 'HEAD', commit }, opened, options(aborted))).rejects.toThrow(
      'interrupted',
    )
    await opened.disposeAsync()
    const { stdout } = await run('git', ['-C', repository, 'worktree', 'list'])
    expect(stdout.trim().split('\n')).toHaveLength(1)
  })
})
