import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { taskInputs } from './task-inputs.ts'

export interface LoadedFiles {
  /** The folder of the repository. */
  readonly root: string
  /** The folder of the workspace. */
  readonly workspace: string
  /** The file to which scripts/record-loads.mjs has written the paths. */
  readonly record: string
}

const MOST_NAMED = 20
/** Turbo's hash has the versions of the packages that a workspace needs, instead of the whole file. */
const LOCKFILE = 'pnpm-lock.yaml'

/**
 * The files of the repository that the processes of a workspace's `test:system` have loaded, and on which turbo's hash of that task does not
 * depend: a change of theirs would not run the tests again.
 *
 * @throws {Error} when turbo cannot say what the task depends on
 */
export async function undeclaredFiles({ root, workspace, record }: LoadedFiles): Promise<readonly string[]> {
  const lines = await readFile(record, 'utf8').catch(() => '')
  const loaded = new Set(
    lines
      .split('\n')
      .filter(Boolean)
      .map((path) => relative(root, resolve(root, path))),
  )
  const tasks = await taskInputs(root, ['test:system', `--filter=./${relative(root, workspace)}`])
  const declared = new Set([...tasks.values()].flatMap((inputs) => [...inputs]))
  const missing = [...loaded]
    .filter((path) => !path.startsWith('..') && path !== LOCKFILE && !declared.has(path))
    .toSorted()
  return missing
    .slice(0, MOST_NAMED)
    .map((path) => `${path} is loaded by test:system, and not among its inputs in turbo.json`)
}
