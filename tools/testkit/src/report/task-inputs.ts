import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

interface DryTask {
  readonly taskId: string
  readonly command: string
  /** Relative to the root of the repository. */
  readonly directory: string
  /** Hashes by paths relative to the directory. */
  readonly inputs: Readonly<Record<string, string>>
  /** The tasks that it waits for. */
  readonly dependencies: readonly string[]
}

/** Where this repository has turbo. */
const PROGRAMS = join(import.meta.dirname, '../../../../node_modules/.bin')
/** The command of a task that the workspace has no script for; such tasks only pass on what others depend on. */
const NO_SCRIPT = '<NONEXISTENT>'

/**
 * The files on which turbo's hash of each task depends, by the task's name, such as `@taproom/http#test`; paths are relative to the root of
 * the repository. A change of the lockfile or of a global dependency changes hashes, too, and is not in it.
 *
 * @param root The folder of the repository
 * @param args What turbo would run: names of tasks, and filters
 * @throws {Error} when turbo fails
 */
export async function taskInputs(
  root: string,
  args: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { stdout } = await promisify(execFile)('turbo', ['run', ...args, '--dry=json'], {
    cwd: root,
    env: { ...process.env, PATH: [PROGRAMS, process.env['PATH']].join(delimiter) },
    maxBuffer: 2 ** 28,
    shell: process.platform === 'win32',
  })
  const tasks = new Map((JSON.parse(stdout).tasks as readonly DryTask[]).map((task) => [task.taskId, task]))
  const real = [...tasks.values()].filter(({ command }) => command !== NO_SCRIPT)
  return new Map(real.map(({ taskId }) => [taskId, inputsOf(taskId, tasks)]))
}

/** With those of the tasks that it waits for. */
function inputsOf(id: string, tasks: ReadonlyMap<string, DryTask>): ReadonlySet<string> {
  const ids = new Set([id])
  // The set grows while it is walked.
  for (const each of ids) for (const next of tasks.get(each)?.dependencies ?? []) ids.add(next)
  const all = [...ids].flatMap((each) => tasks.get(each) ?? [])
  return new Set(all.flatMap(({ directory, inputs }) => Object.keys(inputs).map((path) => join(directory, path))))
}
