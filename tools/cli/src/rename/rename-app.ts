import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { reasonOf, visibleLines } from '@taproom/core/lines'
import { run } from '@taproom/processes'
import { NewUsageError } from '../new/errors.ts'
import { checkName } from '../new/names.ts'
import { installAndEnter } from '../new/new-workspaces.ts'
import { type Project, readProject } from '../new/project.ts'
import { refuseTaken } from '../new/taken-names.ts'
import { leftLines } from './left-lines.ts'
import { movedFiles } from './moved-files.ts'
import { renamedSystem } from './renamed-system.ts'
import { folderOf, type Renaming } from './renaming.ts'
import { undoAll } from './undo.ts'

const USAGE = `usage: pnpm rename OLD NEW

Gives a service or a sink another name: its folder, its package, its entry in system.ts, its sources, and what generate writes.
Paths, topics, tables and variables stay as they are; the numbers of the lines that have the old name are printed.
`
const MOST_FILES = 40

/** Renames an app in the folder of a `system.ts`, as `pnpm rename` does. Sets the exit code when it cannot; then nothing is changed. */
export async function renameApp(args: readonly string[], root: string): Promise<void> {
  try {
    const [from, to] = readNames(args)
    if (from === undefined || to === undefined) return void process.stdout.write(USAGE)
    const project = readProject(root)
    const renaming = await checked(project, from, to)
    await carryOut(root, renaming)
    await report(root, renaming)
  } catch (error) {
    const usage = error instanceof NewUsageError ? `\n${USAGE}` : ''
    process.stderr.write(`pnpm rename: ${visibleLines(reasonOf(error))}\n${usage}`)
    process.exitCode = error instanceof NewUsageError ? 2 : 1
  }
}

/** Empty when help is asked for. */
function readNames(args: readonly string[]): readonly string[] {
  if (args.includes('--help') || args.includes('-h')) return []
  let names: readonly string[]
  try {
    names = parseArgs({ args: [...args], allowPositionals: true }).positionals
  } catch (error) {
    throw new NewUsageError(reasonOf(error))
  }
  if (names.length !== 2) throw new NewUsageError('expected the name of an app, and its new name')
  return names.map(checkName)
}

async function checked(project: Project, from: string, to: string): Promise<Renaming> {
  const kind = (['service', 'sink'] as const).find((each) => project.has(`apps/${folderOf(each, from)}/package.json`))
  if (kind === undefined) throw new NewUsageError(`there is no service apps/${from}, nor a sink apps/${from}-sink`)
  await refuseTaken(project, folderOf(kind, to))
  return { kind, from, to }
}

/** Reads all before it changes anything. When a step fails, all is as before. */
async function carryOut(root: string, renaming: Renaming): Promise<void> {
  const { kind, from, to } = renaming
  const [old, next] = [from, to].map((name) => join(root, 'apps', folderOf(kind, name))) as [string, string]
  const systemText = await readFile(join(root, 'system.ts'), 'utf8')
  const entered = renamedSystem(systemText, renaming)
  const lockfile = await readFile(join(root, 'pnpm-lock.yaml'), 'utf8')
  const files = await movedFiles(old, renaming)

  await rename(old, next)
  const undo: (() => Promise<unknown>)[] = [
    () => run('pnpm', ['run', 'generate'], { cwd: root }),
    () => run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: root }),
    () => writeFile(join(root, 'pnpm-lock.yaml'), lockfile),
    () => writeFile(join(root, 'system.ts'), systemText),
    ...files.map(
      ({ path, before }) =>
        () =>
          writeFile(join(old, path), before),
    ),
    () => rename(next, old),
  ]
  try {
    const changed: string[] = []
    for (const { path, target, after } of files) {
      if (target !== path) {
        await rename(join(next, path), join(next, target))
        undo.push(() => rename(join(next, target), join(next, path)))
      }
      if (after === undefined) continue
      await writeFile(join(next, target), after)
      if (!target.endsWith('.md')) changed.push(join(next, target))
    }
    const format = ['exec', 'biome', 'check', '--write', '--linter-enabled=false', ...changed]
    // Without a path, biome formats the whole repository.
    if (changed.length > 0) await run('pnpm', format, { cwd: root })
    await installAndEnter(root, entered)
  } catch (error) {
    await undoAll(undo, error)
  }
}

async function report(root: string, { kind, from, to }: Renaming): Promise<void> {
  const [old, next] = [folderOf(kind, from), folderOf(kind, to)]
  process.stdout.write(`renamed apps/${old} to apps/${next}\n`)
  const files = await leftLines(root, from)
  if (files.length > 0) {
    const more = files.length > MOST_FILES ? [`and ${files.length - MOST_FILES} more files`] : []
    const shown = [...files.slice(0, MOST_FILES), ...more].map((line) => `  ${line}\n`)
    process.stdout.write(
      `\nThese lines still have the name ${from}. Others may know a path, a topic, a table or a variable:\n`,
    )
    process.stdout.write(shown.join(''))
  }
  process.stdout.write(
    `\nWhat runs elsewhere has the old name until you change it: a database and a secret of ${old}, images, and on a cluster ` +
      'objects to delete.\n',
  )
}
