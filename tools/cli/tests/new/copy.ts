import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ProgramError, run } from '@taproom/processes'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** As in a terminal: without what this test run and its package manager add. */
export const TERMINAL_ENV = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITEST|npm_lifecycle|npm_package|NODE_ENV|TEST|TURBO)/.test(name)),
)

export interface Ended {
  readonly code: number | undefined
  readonly output: string
}

/** A copy of this repository with its own node_modules and a commit of all that is in it. */
export async function copyRepository() {
  const root = await mkdtemp(join(tmpdir(), 'taproom-new-'))
  // What Node compiles goes with the copy.
  const env = { ...TERMINAL_ENV, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled-for-tests') }
  async function runHere(program: string, ...args: readonly string[]): Promise<Ended> {
    try {
      const { stdout, stderr } = await run(program, args, { cwd: root, env })
      return { code: 0, output: stdout + stderr }
    } catch (error) {
      const { exitCode, stdout, stderr } = error as ProgramError
      return { code: exitCode, output: stdout + stderr }
    }
  }
  const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: ROOT })
  const { stdout: deleted } = await run('git', ['ls-files', '-d', '-z'], { cwd: ROOT })
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
    const { code, output } = await runHere(program, ...args)
    if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${output}`)
  }
  return {
    root,
    /** What its programs are run with. */
    env,
    run: runHere,
    /** What `git status` tells of changes. */
    changes: async () => (await runHere('git', 'status', '--short')).output,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}
