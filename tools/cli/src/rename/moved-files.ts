import { lstatSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { NewUsageError } from '../new/errors.ts'
import { type Renaming, renamedPath, renamedText } from './renaming.ts'

/** A file of an app, with paths from the app's folder. */
export interface MovedFile {
  readonly path: string
  readonly target: string
  readonly before: Buffer
  /** The text under the new name; undefined when the file keeps its own. */
  readonly after: string | undefined
}

/**
 * Reads the files of an app that the name may be in. Changes nothing.
 *
 * @throws {NewUsageError} when a file would get the path of another one
 */
export async function movedFiles(folder: string, renaming: Renaming): Promise<readonly MovedFile[]> {
  const paths = await sourcesOf(folder)
  for (const path of paths) {
    const target = renamedPath(path, renaming)
    if (target === path || lstatSync(join(folder, target), { throwIfNoEntry: false }) === undefined) continue
    throw new NewUsageError(`${path} cannot become ${target}: the app has a file ${target} already`)
  }
  return await Promise.all(
    paths.map(async (path) => {
      const before = await readFile(join(folder, path))
      const text = before.toString()
      const after = renamedText(path, text, renaming)
      return { path, target: renamedPath(path, renaming), before, after: after === text ? undefined : after }
    }),
  )
}

async function sourcesOf(folder: string): Promise<readonly string[]> {
  const own = ['package.json', 'README.md', 'src', 'tests']
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.(?:ts|json|md)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => own.includes(path.split('/')[0] ?? ''))
}
