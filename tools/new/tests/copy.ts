import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const execute = promisify(execFile)

/** As in a terminal: without what this test run and its package manager add. */
export const TERMINAL_ENV = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITEST|npm_lifecycle|npm_package|NODE_ENV|TEST|TURBO)/.test(name)),
)

export interface Ended {
  readonly code: number
  readonly output: string
}

/** A copy of this repository with its own node_modules and a commit of all that is in it. */
export async function copyRepository() {
  const root = await mkdtemp(join(tmpdir(), 'taproom-new-'))
  // What Node compiles goes with the copy.
  const env = { ...TERMINAL_ENV, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled-for-tests') }
  async function run(program: string, ...args: readonly string[]): Promise<Ended> {
    try {
      const { stdout, stderr } = await execute(program, args, { cwd: root, env, maxBuffer: 2 ** 26 })
      return { code: 0, output: stdout + stderr }
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
      return { code, output: stdout + stderr }
    }
  }
  const { stdout } = await execute('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
  })
  const { stdout: deleted } = await execute('git', ['ls-files', '-d', '-z'], { cwd: ROOT })
  const gone = new Set(deleted.split('\0'))
  for (const path of new Set(stdout.split('\0'))) {
    if (path !== '' && !gone.has(path)) await cp(join(ROOT, path), join(root, path), { recursive: true })
  }
  const me = ['-c', 'user.name=test', '-c', 'user.email=test@example.com']
  const steps = [
    ['git', 'init', '--quiet'],
    ['git', 'add', '--all'],
    ['git', ...me, 'commit', '--quiet', '--message', 'A copy'],
    ['pnpm', 'install', '--offline', '--frozen-lockfile'],
  ] as const
  for (const [program, ...args] of steps) {
    const { code, output } = await run(program, ...args)
    if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${output}`)
  }
  return {
    root,
    /** What its programs are run with. */
    env,
    run,
    /** What `git status` tells of changes. */
    changes: async () => (await run('git', 'status', '--short')).output,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}
