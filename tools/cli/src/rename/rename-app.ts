import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { reasonOf, visibleLines } from '@taproom/core/lines'
import { run } from '@taproom/processes'
import { NewUsageError } from '../new/errors.ts'
import { checkName } from '../new/names.ts'
import { installAndEnter } from '../new/new-workspaces.ts'
import { type Project, readProject } from '../new/project.ts'
import { refuseTaken } from '../new/taken-names.ts'
import { leftLines } from './left-lines.ts'
import { renamedSystem } from './renamed-system.ts'
import { folderOf, type Renaming, renamedPath, renamedText } from './renaming.ts'

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

/** When a step fails, those before it are undone. */
async function carryOut(root: string, renaming: Renaming): Promise<void> {
  const { kind, from, to } = renaming
  const [old, next] = [from, to].map((name) => join(root, 'apps', folderOf(kind, name))) as [string, string]
  const systemText = await readFile(join(root, 'system.ts'), 'utf8')
  const entered = renamedSystem(systemText, renaming)
  const lockfile = await readFile(join(root, 'pnpm-lock.yaml'), 'utf8')
  const files = await sourcesOf(old)

  const undo: (() => Promise<unknown>)[] = []
  try {
    await rename(old, next)
    undo.push(() => rename(next, old))
    for (const [path, text] of files) {
      const target = join(next, renamedPath(path, renaming))
      await rename(join(next, path), target)
      undo.push(() => rename(target, join(next, path)))
      const changed = renamedText(path, text, renaming)
      if (changed === text) continue
      undo.push(() => writeFile(target, text))
      await writeFile(target, changed)
    }
    await run('pnpm', ['exec', 'biome', 'check', '--write', '--linter-enabled=false', next], { cwd: root })
    undo.unshift(() => run('pnpm', ['run', 'generate'], { cwd: root }))
    undo.push(() => writeFile(join(root, 'pnpm-lock.yaml'), lockfile))
    undo.push(() => writeFile(join(root, 'system.ts'), systemText))
    await installAndEnter(root, entered)
  } catch (error) {
    for (const step of undo.toReversed()) await step()
    throw error
  }
}

/** The texts that the name may be in, by path below the folder of an app. */
async function sourcesOf(folder: string): Promise<readonly (readonly [string, string])[]> {
  const own = ['package.json', 'README.md', 'src', 'tests']
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && /\.(?:ts|json|md)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => own.includes(path.split('/')[0] ?? ''))
  return await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const))
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
