import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { describeEnding, endingWithParent, type NodeProcessOptions, run, startNode } from '@taproom/processes'
import { UsageError } from '../../harness/command-line.ts'
import { temporaryFolder } from '../../harness/temporary-folder.ts'
import { readSamples, type Samples } from '../samples.ts'

const BENCH = 'tools/lab/scripts/bench.ts'
const NODE = 'node_modules/node/bin/node'
/** Most lines that an error has of what a failed command said. */
const MOST_SAID = 20

/** A version cannot be compared, because its bench lacks something. */
export class LacksError extends Error {
  override readonly name = 'LacksError'
}

/** A version's bench, or its installation, ended otherwise than with 0. */
export class RunError extends Error {
  override readonly name = 'RunError'
  readonly isRef: boolean

  constructor(message: string, { isRef }: { readonly isRef: boolean }) {
    super(message)
    this.isRef = isRef
  }
}

/** A version of the repository whose bench can be run. */
export interface Version {
  /** As errors name it. */
  readonly name: string
  readonly folder: string
  /** True for the version that ours is compared with. */
  readonly isRef: boolean
}

/** The environment of a version's bench, and the signal that ends it. */
export interface RunOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Kills what runs. */
  readonly signal: AbortSignal
}

/** The commit that a name stands for. @throws {UsageError} when it is none */
export async function commitOf(repository: string, ref: string): Promise<string> {
  try {
    return await git(repository, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`)
  } catch {
    throw new UsageError(`--compare=${ref}: no commit of this repository`)
  }
}

/**
 * A work tree of a commit in a folder for temporary files, installed; removed with the stack.
 *
 * @throws {RunError} when it cannot be installed
 */
export async function openVersion(
  { repository, ref, commit }: { readonly repository: string; readonly ref: string; readonly commit: string },
  opened: AsyncDisposableStack,
  options: RunOptions,
): Promise<Version> {
  const path = await temporaryFolder(opened, 'bench-version')
  const version = { name: ref, folder: join(path, 'tree'), isRef: true }
  opened.defer(async () => {
    // Not there when it could not be added.
    await git(repository, 'worktree', 'remove', '--force', version.folder).catch(() => undefined)
  })
  await git(repository, 'worktree', 'add', '--quiet', '--detach', version.folder, commit)
  const install = ['install', '--frozen-lockfile', '--prefer-offline']
  await runVersion(version, { command: ['pnpm'], args: install }, options)
  return version
}

/**
 * Runs the bench of a version for one round of an area, its own Node in a process of its own.
 *
 * @throws {LacksError} when it has no such area, or cannot print what it measures
 * @throws {RunError} when it fails
 */
export async function measureVersion(version: Version, area: string, options: RunOptions): Promise<readonly Samples[]> {
  const { name, folder } = version
  await access(join(folder, BENCH)).catch(() => {
    throw new LacksError(`${name} has no ${BENCH}`)
  })
  const args = [...endingWithParent(join(folder, BENCH)), '--json', '--rounds', '1', area]
  return readSamples(await runVersion(version, { command: [join(folder, NODE)], args }, options))
}

/** Gives the lines of its output. */
async function runVersion(
  version: Version,
  { command, args }: Required<Pick<NodeProcessOptions, 'command' | 'args'>>,
  { env, signal }: RunOptions,
): Promise<readonly string[]> {
  signal.throwIfAborted()
  const { name, folder: cwd, isRef } = version
  const lines: Record<'stdout' | 'stderr', string[]> = { stdout: [], stderr: [] }
  const child = startNode({ command, args, cwd, env, onLine: (line, source) => void lines[source].push(line) })
  const kill = () => void child.kill()
  signal.addEventListener('abort', kill)
  const ending = await child.ended
  signal.removeEventListener('abort', kill)
  signal.throwIfAborted()
  if (ending.code === 0) return lines.stdout
  const said = lines.stderr.join('\n')
  if (said.includes("Unknown option '--json'")) throw new LacksError(`${name} has no pnpm bench --json`)
  const strange = /^no area (\S+):/m.exec(said)?.[1]
  if (strange !== undefined) throw new LacksError(`${name} has no area ${strange}`)
  const last = [...lines.stdout, ...lines.stderr].slice(-MOST_SAID).join('\n')
  throw new RunError(`${name}: ${describeEnding(ending)}\n${last}`, { isRef })
}

async function git(repository: string, ...args: readonly string[]): Promise<string> {
  return (await run('git', ['-C', repository, ...args])).stdout.trim()
}
